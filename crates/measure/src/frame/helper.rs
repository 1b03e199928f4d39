//! Helper threads that run in parallel with the frames while they are needed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A helper thread; dropping it stops the thread and waits for its end.
pub(super) struct HelperThread {
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl HelperThread {
    /// Starts a thread whose work ends soon after the flag is set.
    pub(super) fn start(
        name: &str,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> io::Result<Self> {
        let stop = Arc::<AtomicBool>::default();
        let stopped = stop.clone();
        let thread = rt::thread::start(name, move || work(&stopped))?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for HelperThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
