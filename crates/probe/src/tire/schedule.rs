//! When each step of a paced run is due, the same for all threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::overrun::Overrun;

/// The due times of a paced run's steps.
///
/// Solver threads share no other synchronisation than their solver's own, yet
/// must do the same steps. So the first thread that comes to a step decides when
/// it is due, and the others follow.
#[derive(Debug)]
pub(crate) struct Schedule {
    period: u64,
    periods: u64,
    overrun: Overrun,
    t0: AtomicU64,
    dues: Box<[AtomicU64]>,
}

const UNDECIDED: u64 = 0;
const NEVER: u64 = u64::MAX;

impl Schedule {
    pub(crate) fn new(period: u64, periods: u64, overrun: Overrun) -> Self {
        Self {
            period,
            periods,
            overrun,
            t0: AtomicU64::new(UNDECIDED),
            dues: (0..periods).map(|_| AtomicU64::new(UNDECIDED)).collect(),
        }
    }

    /// Sets when the first step is due; every thread says the same, before its
    /// first step.
    pub(crate) fn start_at(&self, t0: u64) {
        self.t0.store(t0, Ordering::SeqCst);
    }

    pub(crate) fn t0(&self) -> u64 {
        self.t0.load(Ordering::SeqCst)
    }

    pub(crate) fn periods(&self) -> u64 {
        self.periods
    }

    pub(crate) fn period(&self) -> u64 {
        self.period
    }

    /// Which period step number `step` has, which is due at the stamp `due`.
    pub(crate) fn index(&self, step: u64, due: u64) -> u64 {
        match self.overrun {
            Overrun::Slip => step,
            _ => due.saturating_sub(self.t0()) / self.period,
        }
    }

    /// When step number `step` is due, for a thread whose step before it was due
    /// and ended at the stamps `last`. `None` when there is no such step.
    pub(crate) fn claim(&self, step: u64, last: Option<(u64, u64)>) -> Option<u64> {
        let place = self.dues.get(step as usize)?;
        let wanted = match last {
            None => Some(self.t0()),
            Some((due, end)) => self.overrun.next_due(due, end, self.period),
        };
        let wanted = wanted.filter(|due| self.is_within(*due)).unwrap_or(NEVER);
        let decided = place
            .compare_exchange(UNDECIDED, wanted, Ordering::SeqCst, Ordering::SeqCst)
            .map_or_else(|earlier| earlier, |_| wanted);
        (decided != NEVER).then_some(decided)
    }

    /// Skipped periods use the run's time up; a slipped run has all its steps.
    fn is_within(&self, due: u64) -> bool {
        self.overrun != Overrun::Skip || due < self.t0() + self.periods * self.period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        let schedule = Schedule::new(10, 6, Overrun::Skip);
        schedule.start_at(1000);
        schedule
    }

    #[test]
    fn in_time_every_period_has_its_step() {
        let schedule = schedule();
        let mut last = None;
        for step in 0..6 {
            let due = schedule.claim(step, last).unwrap();
            assert_eq!(due, 1000 + step * 10);
            last = Some((due, due + 5));
        }
        assert_eq!(schedule.claim(6, last), None);
    }

    #[test]
    fn skipped_periods_use_the_time_up() {
        let schedule = schedule();
        assert_eq!(schedule.claim(0, None), Some(1000));
        assert_eq!(schedule.claim(1, Some((1000, 1034))), Some(1040));
        assert_eq!(schedule.claim(2, Some((1040, 1200))), None);
    }

    #[test]
    fn the_first_thread_decides_for_all() {
        let schedule = schedule();
        assert_eq!(schedule.claim(0, None), Some(1000));
        assert_eq!(schedule.claim(1, Some((1000, 1009))), Some(1010));
        assert_eq!(schedule.claim(1, Some((1000, 1034))), Some(1010));
    }
}
