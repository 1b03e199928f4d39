//! Waits that end when one of the threads has left.

use std::fmt;

use super::atomic::{AtomicBool, Ordering, spin_loop};

/// The number of spins before a wait yields its CPU: enough for threads that run on different CPUs,
/// few enough for threads that share one. To the model checker every spin yields.
const SPINS_BEFORE_YIELD: u32 = if cfg!(loom) { 1 } else { 4096 };

/// The end of joint work: set by a thread that leaves, seen by all that wait.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

/// Another thread has left, so waiting for it would never end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another thread of the model has stopped")
    }
}

impl std::error::Error for Stopped {}

impl Stop {
    /// Ends all waits, present and future.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Checks that no thread has left.
    ///
    /// # Errors
    /// Fails if a thread has left.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether a thread has left.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Spins until `ready`, and yields from time to time, so that threads of equal priority that
    /// share a CPU make progress.
    ///
    /// # Errors
    /// Fails if a thread has left.
    #[inline]
    pub fn wait_until(&self, ready: impl Fn() -> bool) -> Result<(), Stopped> {
        loop {
            for _ in 0..SPINS_BEFORE_YIELD {
                if ready() {
                    return Ok(());
                }
                spin_loop();
            }
            self.check()?;
            crate::sched::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_when_ready_or_when_a_thread_has_left() {
        let (stop, ready) = (Stop::default(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| stop.wait_until(|| ready.load(Ordering::Acquire)));
            ready.store(true, Ordering::Release);
            assert_eq!(waiter.join().unwrap(), Ok(()));
            let waiter = scope.spawn(|| stop.wait_until(|| false));
            stop.stop();
            assert_eq!(waiter.join().unwrap(), Err(Stopped));
        });
    }
}
