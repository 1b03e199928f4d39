//! Which period each step of a paced run belongs to, the same for all threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// Periods of a paced run, and the step that each of them got.
///
/// Solver threads share no other synchronisation than their solver's own, yet
/// must do the same steps. So the first thread that comes to a step decides its
/// period, and the others follow.
#[derive(Debug)]
pub(crate) struct Schedule {
    period_ns: u64,
    periods: u64,
    t0: AtomicU64,
    chosen: Box<[AtomicU64]>,
}

const UNDECIDED: u64 = u64::MAX;

impl Schedule {
    pub(crate) fn new(period_ns: u64, periods: u64) -> Self {
        Self {
            period_ns,
            periods,
            t0: AtomicU64::new(0),
            chosen: (0..=periods).map(|_| AtomicU64::new(UNDECIDED)).collect(),
        }
    }

    /// Sets when period 0 is due; every thread says the same, before its first
    /// step.
    pub(crate) fn start_at(&self, t0: u64) {
        self.t0.store(t0, Ordering::SeqCst);
    }

    pub(crate) fn t0(&self) -> u64 {
        self.t0.load(Ordering::SeqCst)
    }

    pub(crate) fn periods(&self) -> u64 {
        self.periods
    }

    /// When a period is due.
    pub(crate) fn due(&self, period: u64) -> u64 {
        self.t0() + period * self.period_ns
    }

    /// The period of step number `step`, for a thread that ended the one before
    /// it (of period `previous`, if any) at the stamp `now`: the next one that is
    /// not due yet, so that periods which came due meanwhile are skipped. `None`
    /// when no period is left.
    pub(crate) fn claim(&self, step: u64, previous: Option<u64>, now: u64) -> Option<u64> {
        let place = self.chosen.get(step as usize)?;
        let wanted = previous.map_or(0, |previous| {
            let passed = now.saturating_sub(self.t0()) / self.period_ns;
            (previous + 1).max(passed + 1).min(self.periods)
        });
        let decided = place
            .compare_exchange(UNDECIDED, wanted, Ordering::SeqCst, Ordering::SeqCst)
            .map_or_else(|earlier| earlier, |_| wanted);
        (decided < self.periods).then_some(decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        let schedule = Schedule::new(10, 6);
        schedule.start_at(1000);
        schedule
    }

    #[test]
    fn in_time_every_period_has_its_step() {
        let schedule = schedule();
        let mut previous = None;
        for step in 0..6 {
            let period = schedule.claim(step, previous, 1000 + step * 10 - 5);
            assert_eq!(period, Some(step));
            previous = period;
        }
        assert_eq!(schedule.claim(6, previous, 1058), None);
    }

    #[test]
    fn periods_that_came_due_meanwhile_are_skipped() {
        let schedule = schedule();
        assert_eq!(schedule.claim(0, None, 990), Some(0));
        assert_eq!(
            schedule.claim(1, Some(0), 1034),
            Some(4),
            "1, 2 and 3 came due"
        );
        assert_eq!(schedule.due(4), 1040);
        assert_eq!(schedule.claim(2, Some(4), 1200), None, "all came due");
    }

    #[test]
    fn the_first_thread_decides_for_all() {
        let schedule = schedule();
        assert_eq!(schedule.claim(0, None, 990), Some(0));
        assert_eq!(schedule.claim(1, Some(0), 1009), Some(1));
        assert_eq!(schedule.claim(1, Some(0), 1034), Some(1));
    }
}
