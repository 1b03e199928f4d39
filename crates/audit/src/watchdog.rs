//! Ends a process whose step never returns.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use rt::process::{Pid, Signal, send};
use rt::progress::{Patience, Phase, Stage};

const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Time between aborting a process, which shows where it is, and killing it.
const GRACE: Duration = Duration::from_millis(500);

pub(crate) struct Watchdog {
    has_ended: Arc<AtomicBool>,
    thread: JoinHandle<Option<Duration>>,
}

impl Watchdog {
    /// Ends the process if a step takes longer than `longest`. The process is aborted first, so
    /// that a watching process can see where it is. `seen` is called regularly with the current step.
    pub(crate) fn over(
        process: Pid,
        stage: Arc<Stage>,
        longest: Duration,
        seen: impl Fn(u64) + Send + 'static,
    ) -> io::Result<Self> {
        let has_ended = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&has_ended);
        let thread = rt::thread::start("audit-watchdog", move || {
            let after = hang(&stage, longest, &is_over, seen)?;
            // A process that ends by itself in the meantime is fine.
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

    /// Stops watching, after the process has ended. Returns how long the process hung, if the
    /// watchdog ended it.
    pub(crate) fn dismiss(self) -> Option<Duration> {
        self.has_ended.store(true, Ordering::Relaxed);
        self.thread.join().ok().flatten()
    }
}

/// Waits until the process has stayed at one place for too long, and returns for how long; `None` if it
/// has ended.
fn hang(
    stage: &Stage,
    longest: Duration,
    is_over: &AtomicBool,
    seen: impl Fn(u64),
) -> Option<Duration> {
    let mut patience = Patience::with(longest);
    while !is_over.load(Ordering::Relaxed) {
        if let Some((Phase::Step, step)) = stage.seen() {
            seen(step);
        }
        if let Some(after) = patience.lost_with(stage) {
            return Some(after);
        }
        sleep(LOOK_EVERY);
    }
    None
}
