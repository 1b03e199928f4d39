//! Work that is due once per period: when each step is due, and what its stamps say afterwards.

mod overrun;
mod steps;

use plan::{Parameters, Track};

use crate::columns::{Columns, Kinds};
use crate::shape::{Holds, TrackShape};

pub(crate) use overrun::Overrun;
pub(crate) use steps::{Step, Steps};

pub(crate) type Stamps = Columns<3>;

pub(crate) const STAMPS: Kinds<3> =
    [("due_ns", Holds::RisingStamps), ("start_ns", Holds::Stamps), ("end_ns", Holds::Stamps)];

/// Memory of [`Stamps`] per step, in bytes.
pub(crate) const BYTES_A_STEP: u64 = 24;

/// How often work is due, for how long, and what to do after a step that ended too late.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Time from one due time to the next, in nanoseconds.
    pub(crate) period: u64,
    pub(crate) periods: u64,
    pub(crate) overrun: Overrun,
}

impl Pace {
    pub(crate) fn of(parameters: &Parameters, periods: u64) -> Self {
        let overrun = Overrun::of(parameters.word("overrun"));
        Self { period: parameters.time("rate").0, periods, overrun }
    }

    /// Returns the time from the first period to the end of the last one.
    pub(crate) fn span(&self) -> u64 {
        self.period * self.periods
    }

    /// Returns when step number `step` of a run that starts at the stamp `t0` is due, after a step
    /// that was due and ended at the stamps `last`. `None` if there is no such step: skipped
    /// periods count against the run's time, while a slipped run has all its steps.
    pub(crate) fn due(&self, t0: u64, step: u64, last: Option<(u64, u64)>) -> Option<u64> {
        let due = match last {
            None => Some(t0),
            Some((due, end)) => self.overrun.next_due(due, end, self.period),
        };
        let within =
            |due: &u64| self.overrun != Overrun::Skip || *due < t0 + self.periods * self.period;
        due.filter(within).filter(|_| step < self.periods)
    }

    /// Adds to the shape of a track what [`Pace::onto`] adds to the track.
    pub(crate) fn shape(&self, shape: TrackShape) -> TrackShape {
        shape
            .fact("t0_ns", Holds::Stamps)
            .fact("period_ns", Holds::Exactly(self.period))
            .fact("periods", Holds::Exactly(self.periods))
    }

    /// Adds the attributes that [`Steps::of`] reads.
    pub(crate) fn onto(&self, track: Track, t0: u64) -> Track {
        track.with("t0_ns", t0).with("period_ns", self.period).with("periods", self.periods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(overrun: Overrun) -> Pace {
        Pace { period: 10, periods: 6, overrun }
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
