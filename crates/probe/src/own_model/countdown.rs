//! A clock that the model starts: it ticks once, so long after that.

use std::sync::atomic::{AtomicU64, Ordering};

/// When it ticks, in the model's time; the threads of other clocks start it.
#[derive(Debug)]
pub(super) struct Countdown(AtomicU64);

const NEVER: f64 = f64::INFINITY;

impl Default for Countdown {
    fn default() -> Self {
        Self(AtomicU64::new(NEVER.to_bits()))
    }
}

impl Countdown {
    /// It ticks at that time, in seconds; not any more at one before.
    pub(super) fn start(&self, time: f64) {
        self.0.store(time.to_bits(), Ordering::Release);
    }

    /// Whether it has come to its end by that time, in seconds, which is told once.
    pub(super) fn ends_by(&self, time: f64) -> bool {
        let ends = self.0.load(Ordering::Acquire);
        let is_over = f64::from_bits(ends) <= time;
        is_over
            && self
                .0
                .compare_exchange(ends, NEVER.to_bits(), Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ticks_once_and_not_before_its_time() {
        let countdown = Countdown::default();
        assert!(!countdown.ends_by(1e9));
        countdown.start(2.0);
        let told = [1.0, 2.5, 3.0].map(|time| countdown.ends_by(time));
        assert_eq!(told, [false, true, false]);
    }
}
