//! A clock whose next tick the model tells: a countdown that it starts, or a clock whose interval
//! changes.

use std::sync::atomic::{AtomicU64, Ordering};

use rt::fmi::{Interval, Task};

use super::clocks::{Ticking, Ticks};
use super::fmu::told;

/// When it ticks, in the model's time; the threads of other clocks start a countdown.
#[derive(Debug)]
pub(super) struct Countdown {
    ends: AtomicU64,
    /// The last interval that the model told, in seconds.
    interval: AtomicU64,
}

const NEVER: f64 = f64::INFINITY;
/// Times that are less than that apart are one, in seconds: no clock here is finer.
const NANOSECOND: f64 = 1e-9;

impl Default for Countdown {
    fn default() -> Self {
        let never = || AtomicU64::new(NEVER.to_bits());
        Self { ends: never(), interval: never() }
    }
}

impl Countdown {
    /// It ticks at that time, in seconds; not any more at one before.
    pub(super) fn start(&self, time: f64) {
        self.ends.store(time.to_bits(), Ordering::Release);
    }

    /// A clock whose interval changes, which was to tick at that time, ticks next after what the
    /// model tells.
    ///
    /// # Errors
    /// Where it tells no time that would come.
    pub(super) fn go_on(&self, from: f64, told: Interval) -> Result<(), String> {
        if let Interval::Changed(interval) = told {
            self.interval.store(interval.to_bits(), Ordering::Relaxed);
        }
        let interval = f64::from_bits(self.interval.load(Ordering::Relaxed));
        if told == Interval::NotYetKnown || !(interval > 0.0 && interval < NEVER) {
            return Err("it does not tell when its clock ticks next".to_owned());
        }
        self.start(from + interval);
        Ok(())
    }

    /// The end that it has come to by that time, both in seconds, which is told once.
    pub(super) fn ended_by(&self, time: f64) -> Option<f64> {
        let ends = self.ends.load(Ordering::Acquire);
        let end = Some(f64::from_bits(ends)).filter(|end| *end < time + NANOSECOND)?;
        self.ends
            .compare_exchange(ends, NEVER.to_bits(), Ordering::AcqRel, Ordering::Relaxed)
            .ok()
            .map(|_| end)
    }
}

impl Ticking {
    /// When it was to tick, as it does at one of its periods, both in seconds; `None` where the
    /// model wants no tick yet.
    #[inline]
    pub(super) fn due(&self, countdown: &Countdown, time: f64) -> Option<f64> {
        match self.ticks {
            Ticks::AtPeriods => Some(time),
            Ticks::Countdown | Ticks::Changing => countdown.ended_by(time),
        }
    }

    /// Has its part of the model run at a time, which was due at one before it.
    ///
    /// # Errors
    /// What the model did, in a few words.
    #[inline]
    pub(super) fn tick(
        &self,
        task: &Task,
        countdown: &Countdown,
        due: f64,
        time: f64,
    ) -> Result<(), String> {
        task.activate(self.reference, time).map_err(told)?;
        match self.ticks {
            Ticks::Changing => {
                let interval = task.interval(self.reference).map_err(told)?;
                countdown.go_on(due, interval)
            }
            Ticks::AtPeriods | Ticks::Countdown => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ticks_once_and_not_before_its_time() {
        let countdown = Countdown::default();
        assert_eq!(countdown.ended_by(1e9), None);
        countdown.start(2.0);
        let told = [1.0, 2.5, 3.0].map(|time| countdown.ended_by(time));
        assert_eq!(told, [None, Some(2.0), None]);
    }

    #[test]
    fn an_interval_counts_from_the_time_that_was_meant() {
        let clock = Countdown::default();
        assert!(clock.go_on(0.0, Interval::Unchanged).is_err());
        clock.go_on(1.0, Interval::Changed(0.5)).unwrap();
        assert_eq!(clock.ended_by(1.75), Some(1.5));
        clock.go_on(1.5, Interval::Unchanged).unwrap();
        assert_eq!(clock.ended_by(2.0), Some(2.0));
        for told in [Interval::NotYetKnown, Interval::Changed(0.0), Interval::Changed(f64::NAN)] {
            assert!(clock.go_on(2.0, told).is_err());
        }
    }
}
