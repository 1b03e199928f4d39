//! Threads that work beside frames for as long as they are wanted.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A thread beside the frames; dropped, it is told to stop, and has ended.
pub(super) struct HelperThread {
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl HelperThread {
    /// Starts a thread whose work ends soon after the flag is set.
    ///
    /// # Errors
    /// Without room for a thread.
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
