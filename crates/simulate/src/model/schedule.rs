//! The due times of the steps of a paced run, the same for all threads that share a schedule.

use std::sync::atomic::{AtomicU64, Ordering};

use bench::pace::{Overrun, Pace};
use record::Track;

/// The due times of a paced run's steps.
///
/// Solver threads share no synchronisation except their solver's own, yet they must do the same
/// steps. Therefore the first thread that reaches a step decides when it is due, and the others
/// follow.
pub(crate) struct Schedule {
    pace: Pace,
    /// Time from the start of the run to the due time of its first step, in nanoseconds.
    offset: u64,
    t0: AtomicU64,
    dues: Box<[AtomicU64]>,
}

const UNDECIDED: u64 = 0;
const NEVER: u64 = u64::MAX;

impl Schedule {
    pub(crate) fn new(pace: Pace) -> Self {
        Self::after(0, pace)
    }

    /// Creates a schedule that begins `offset` nanoseconds after the run.
    pub(crate) fn after(offset: u64, pace: Pace) -> Self {
        let undecided = || AtomicU64::new(UNDECIDED);
        let dues = (0..pace.periods).map(|_| undecided()).collect();
        Self { pace, offset, t0: undecided(), dues }
    }

    /// Sets when the run starts; every thread sets the same value before its first step.
    pub(crate) fn start_at(&self, start: u64) {
        self.t0.store(start + self.offset, Ordering::SeqCst);
    }

    pub(crate) fn t0(&self) -> u64 {
        self.t0.load(Ordering::SeqCst)
    }

    pub(super) fn onto(&self, track: Track) -> Track {
        self.pace.onto(track, self.t0())
    }

    pub(crate) fn periods(&self) -> u64 {
        self.pace.periods
    }

    pub(crate) fn period(&self) -> u64 {
        self.pace.period_ns()
    }

    /// Returns the period of step number `step`, which is due at the stamp `due`.
    pub(crate) fn index(&self, step: u64, due: u64) -> u64 {
        match self.pace.overrun {
            Overrun::Slip => step,
            _ => self.pace.period.nearest(due.saturating_sub(self.t0())),
        }
    }

    /// When a step is due, after one that was due and ended at `last`. `None` if no further one is.
    pub(crate) fn claim(&self, step: u64, last: Option<(u64, u64)>) -> Option<u64> {
        let place = self.dues.get(step as usize)?;
        let wanted = self.pace.due(self.t0(), step, last).unwrap_or(NEVER);
        let decided = place
            .compare_exchange(UNDECIDED, wanted, Ordering::SeqCst, Ordering::SeqCst)
            .map_or_else(|earlier| earlier, |_| wanted);
        (decided != NEVER).then_some(decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Nanos;

    fn schedule() -> Schedule {
        let schedule =
            Schedule::new(Pace { period: Nanos(10).into(), periods: 6, overrun: Overrun::Skip });
        schedule.start_at(1000);
        schedule
    }

    #[test]
    fn the_first_thread_decides_for_all() {
        let schedule = schedule();
        assert_eq!(schedule.claim(0, None), Some(1000));
        assert_eq!(schedule.claim(1, Some((1000, 1009))), Some(1010));
        assert_eq!(schedule.claim(1, Some((1000, 1034))), Some(1010));
    }
}
