//! Ends a process whose step never returns.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use rt::process::{Pid, Signal, send};
use rt::stage::{Patience, Stage};

const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Between asking a process where it is and ending it.
const GRACE: Duration = Duration::from_millis(500);

/// Looks after a process until it is told that it has ended.
#[derive(Debug)]
pub(crate) struct Watchdog {
    has_ended: Arc<AtomicBool>,
    thread: JoinHandle<Option<Duration>>,
}

impl Watchdog {
    /// Ends the process where a step takes longer than that. It is aborted first, for whoever
    /// watches it to see where it is.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub(crate) fn over(process: Pid, stage: Arc<Stage>, longest: Duration) -> io::Result<Self> {
        let has_ended = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&has_ended);
        let thread = rt::thread::start("audit-watchdog", move || {
            let after = hang(&stage, longest, &is_over)?;
            // One that ends by itself meanwhile is what is wanted.
            let _ = send(process, Signal::ABORT);
            rt::thread::wait_for(GRACE, LOOK_EVERY, || {
                is_over.load(Ordering::Relaxed).then_some(())
            });
            if !is_over.load(Ordering::Relaxed) {
                let _ = send(process, Signal::KILL);
            }
            Some(after)
        })?;
        Ok(Self { has_ended, thread })
    }

    /// The process has ended; how long it was waited for, where it was ended here.
    pub(crate) fn dismiss(self) -> Option<Duration> {
        self.has_ended.store(true, Ordering::Relaxed);
        self.thread.join().ok().flatten()
    }
}

/// How long the process stayed at one place, once that was too long; `None` when it has ended.
fn hang(stage: &Stage, longest: Duration, is_over: &AtomicBool) -> Option<Duration> {
    let mut patience = Patience::with(longest);
    while !is_over.load(Ordering::Relaxed) {
        if let Some(after) = patience.lost_with(stage) {
            return Some(after);
        }
        sleep(LOOK_EVERY);
    }
    None
}
