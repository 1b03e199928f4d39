//! A clock whose next tick the model determines: a countdown, or one with a changing interval.

use std::sync::atomic::{AtomicU64, Ordering};

use rt::fmi::{Interval, Task};

use super::clocks::Ticking;
use super::fmu::message;

/// When a clock ticks next, in the model's time; threads of other clocks may start it.
#[derive(Debug)]
pub(super) struct Countdown {
    ends: AtomicU64,
    /// The last interval that the model reported, in seconds.
    interval: AtomicU64,
}

const NEVER: f64 = f64::INFINITY;
/// Times that differ by less than this, in seconds, are equal: no clock here is finer.
const NANOSECOND: f64 = 1e-9;

impl Default for Countdown {
    fn default() -> Self {
        let never = || AtomicU64::new(NEVER.to_bits());
        Self { ends: never(), interval: never() }
    }
}

impl Countdown {
    /// Makes the clock tick at that time, in seconds, instead of any earlier set time.
    pub(super) fn start(&self, time: f64) {
        self.ends.store(time.to_bits(), Ordering::Release);
    }

    /// Sets the next tick of a changing clock, counted from its last due time `from`.
    fn go_on(&self, from: f64, reported: Interval) -> Result<(), String> {
        if let Interval::Changed(interval) = reported {
            self.interval.store(interval.to_bits(), Ordering::Relaxed);
        }
        let interval = f64::from_bits(self.interval.load(Ordering::Relaxed));
        if reported == Interval::NotYetKnown || !(interval > 0.0 && interval < NEVER) {
            return Err("it does not report when its clock ticks next".to_owned());
        }
        self.start(from + interval);
        Ok(())
    }

    /// Returns the due time that has passed by `time`, both in seconds; each is returned only once.
    fn ended_by(&self, time: f64) -> Option<f64> {
        let ends = self.ends.load(Ordering::Acquire);
        let end = Some(f64::from_bits(ends)).filter(|end| *end < time + NANOSECOND)?;
        self.ends
            .compare_exchange(ends, NEVER.to_bits(), Ordering::AcqRel, Ordering::Relaxed)
            .ok()
            .map(|_| end)
    }
}

/// A clock, and when it ticks next if the model determines that.
#[derive(Debug)]
pub(super) struct Ticker {
    pub(super) clock: Ticking,
    pub(super) countdown: Countdown,
}

impl Ticker {
    pub(super) fn all(clocks: &[Ticking]) -> Vec<Self> {
        let ticker =
            |clock: &Ticking| Self { clock: clock.clone(), countdown: Countdown::default() };
        clocks.iter().map(ticker).collect()
    }

    /// Returns when the clock was to tick, given one of its periods, both in seconds.
    #[inline]
    pub(super) fn due(&self, time: f64) -> Option<f64> {
        if self.clock.is_of_model() { self.countdown.ended_by(time) } else { Some(time) }
    }

    /// Runs the clock's part of the model at `time`; it was due at the earlier time `due`.
    #[inline]
    pub(super) fn tick(&self, task: &Task, due: f64, time: f64) -> Result<(), String> {
        let Ticking { reference, interval, .. } = self.clock;
        task.activate(reference, time).map_err(message)?;
        if interval != model_file::Interval::Changing {
            return Ok(());
        }
        self.countdown.go_on(due, task.interval(reference).map_err(message)?)
    }
}

/// Reads the countdowns that the model may have started.
#[inline]
pub(super) fn read_countdowns(all: &[Ticker], task: &Task, time: f64) -> Result<(), String> {
    for Ticker { clock, countdown } in all {
        if clock.interval != model_file::Interval::Countdown {
            continue;
        }
        if let Interval::Changed(interval) = task.interval(clock.reference).map_err(message)? {
            countdown.start(time + interval);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ticks_once_and_not_before_its_time() {
        let countdown = Countdown::default();
        assert_eq!(countdown.ended_by(1e9), None);
        countdown.start(2.0);
        let ends = [1.0, 2.5, 3.0].map(|time| countdown.ended_by(time));
        assert_eq!(ends, [None, Some(2.0), None]);
    }

    #[test]
    fn an_interval_counts_from_the_due_time() {
        let clock = Countdown::default();
        assert!(clock.go_on(0.0, Interval::Unchanged).is_err());
        clock.go_on(1.0, Interval::Changed(0.5)).unwrap();
        assert_eq!(clock.ended_by(1.75), Some(1.5));
        clock.go_on(1.5, Interval::Unchanged).unwrap();
        assert_eq!(clock.ended_by(2.0), Some(2.0));
        for interval in [Interval::NotYetKnown, Interval::Changed(0.0), Interval::Changed(f64::NAN)]
        {
            assert!(clock.go_on(2.0, interval).is_err());
        }
    }
}
