//! Work that is due once per period: when each step is due, and what its stamps say afterwards.

mod overrun;
mod period;
mod steps;

use base::Nanos;
use record::{Parameters, Track};

use crate::columns::{Columns, Kinds};
use crate::shape::{Holds, TrackShape};

pub use overrun::Overrun;
pub use period::Period;
pub use steps::{Step, Steps};

pub type Stamps = Columns<3>;

pub const STAMPS: Kinds<3> =
    [("due_ns", Holds::RisingStamps), ("start_ns", Holds::Stamps), ("end_ns", Holds::Stamps)];

/// Memory of [`Stamps`] per step, in bytes.
pub const BYTES_A_STEP: u64 = 24;

/// How often work is due, for how long, and what to do after a step that ended too late.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub period: Period,
    pub periods: u64,
    pub overrun: Overrun,
}

impl Pace {
    pub fn of(parameters: &Parameters, periods: u64) -> Self {
        let overrun = Overrun::of(parameters);
        let period = parameters.rate().map_or(Nanos(0).into(), Period::from);
        Self { period, periods, overrun }
    }

    /// Returns the time from one due time to the next, to the nearest nanosecond.
    #[inline]
    pub fn period_ns(&self) -> u64 {
        self.period.nearest_ns()
    }

    /// Returns the time from the first period to the end of the last one.
    #[inline]
    pub fn span(&self) -> u64 {
        self.period.begin(self.periods)
    }

    /// Returns when step number `step` of a run that starts at the stamp `t0` is due, after a step
    /// that was due and ended at the stamps `last`. `None` if there is no such step: skipped
    /// periods count against the run's time, while a slipped run has all its steps.
    #[inline]
    pub fn due(&self, t0: u64, step: u64, last: Option<(u64, u64)>) -> Option<u64> {
        let due = match last {
            None => Some(t0),
            Some((due, end)) => self.next_due(t0, due, end, || match self.overrun {
                Overrun::Skip => self.period.nearest(due - t0),
                _ => step - 1,
            }),
        };
        let within = |due: &u64| self.overrun != Overrun::Skip || *due < t0 + self.span();
        due.filter(within).filter(|_| step < self.periods)
    }

    /// Returns when the next step is due, after one that was due and ended at the stamps `due` and
    /// `end`. `None` means never. The number of its period is only needed for periods without whole
    /// nanoseconds.
    ///
    /// A step ends too late if `end` is past the next due time.
    #[inline]
    pub fn next_due(
        &self,
        t0: u64,
        due: u64,
        end: u64,
        index: impl FnOnce() -> u64,
    ) -> Option<u64> {
        let next = self.period.next(due, index);
        if end <= next {
            return Some(next);
        }
        match self.overrun {
            Overrun::Skip => Some(t0 + self.period.begin(self.period.first_from(end - t0))),
            Overrun::CatchUp => Some(next),
            Overrun::Slip => Some(end),
            Overrun::Stop => None,
        }
    }

    /// Adds to the shape of a track what [`Pace::onto`] adds to the track. The fraction of a period
    /// was not recorded by earlier versions.
    pub fn shape(&self, shape: TrackShape) -> TrackShape {
        let shape = shape
            .fact("t0_ns", Holds::Stamps)
            .fact("period_ns", Holds::Exactly(self.period_ns()))
            .fact("periods", Holds::Exactly(self.periods));
        let fraction = self.period.fraction();
        fraction
            .fold(shape, |shape, (name, number)| shape.fact_if_any(name, Holds::Exactly(number)))
    }

    /// Adds the attributes that [`Steps::of`] reads.
    pub fn onto(&self, track: Track, t0: u64) -> Track {
        let track = track.with("t0_ns", t0).with("period_ns", self.period_ns());
        let fraction = self.period.fraction();
        let track = fraction.fold(track, |track, (name, number)| track.with(name, number));
        track.with("periods", self.periods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(overrun: Overrun) -> Pace {
        Pace { period: Nanos(10).into(), periods: 6, overrun }
    }

    /// Returns the due times of a run with period 10 in which step 1 takes 35, and every other 2.
    fn dues(overrun: Overrun) -> Vec<u64> {
        let pace = Pace { periods: 100, ..pace(overrun) };
        let (mut dues, mut now) = (vec![0], 0);
        for step in 0..6 {
            let due = dues[step];
            now = due.max(now) + if step == 1 { 35 } else { 2 };
            match pace.due(0, step as u64 + 1, Some((due, now))) {
                Some(next) => dues.push(next),
                None => break,
            }
        }
        dues
    }

    #[test]
    fn each_policy_does_what_its_name_says() {
        assert_eq!(dues(Overrun::Skip), [0, 10, 50, 60, 70, 80, 90]);
        assert_eq!(dues(Overrun::CatchUp), [0, 10, 20, 30, 40, 50, 60]);
        assert_eq!(dues(Overrun::Slip), [0, 10, 45, 55, 65, 75, 85]);
        assert_eq!(dues(Overrun::Stop), [0, 10]);
    }

    #[test]
    fn an_end_at_the_next_due_time_is_in_time() {
        let next = |overrun, end| pace(overrun).next_due(0, 20, end, || 2);
        for overrun in Overrun::ALL {
            assert_eq!(next(overrun, 30), Some(30), "{overrun:?}");
        }
        assert_eq!(next(Overrun::Stop, 31), None);
        // A period that comes due exactly at the end can still have its step.
        assert_eq!(next(Overrun::Skip, 40), Some(40));
        assert_eq!(next(Overrun::Skip, 41), Some(50));
    }

    #[test]
    fn a_fraction_of_a_nanosecond_is_kept_by_every_policy() {
        let third = || "300MHz".parse::<base::Rate>().unwrap().into();
        for overrun in Overrun::ALL {
            let pace = Pace { period: third(), periods: 3_000, overrun };
            let mut last = None;
            for step in 0..pace.periods {
                let due = pace.due(1000, step, last).unwrap();
                assert_eq!(due, 1000 + step * 10 / 3, "{overrun:?}");
                last = Some((due, due + 1));
            }
        }
        let late = Some((1003, 1011));
        let pace = |overrun| Pace { period: third(), periods: 9, overrun };
        assert_eq!(pace(Overrun::Skip).due(1000, 2, late), Some(1013));
        assert_eq!(pace(Overrun::Slip).due(1000, 2, late), Some(1011));
    }

    #[test]
    fn in_time_every_period_has_its_step() {
        let pace = pace(Overrun::Skip);
        let mut last = None;
        for step in 0..6 {
            let due = pace.due(1000, step, last).unwrap();
            assert_eq!(due, 1000 + step * 10);
            last = Some((due, due + 5));
        }
        assert_eq!(pace.due(1000, 6, last), None);
    }

    #[test]
    fn skipped_periods_count_against_the_time_and_slipped_ones_do_not() {
        let late = Some((1040, 1200));
        assert_eq!(pace(Overrun::Skip).due(1000, 2, late), None);
        assert_eq!(pace(Overrun::Slip).due(1000, 2, late), Some(1200));
        assert_eq!(pace(Overrun::Slip).due(1000, 6, late), None);
    }
}
