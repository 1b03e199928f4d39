//! The behaviour of a paced run after a step that ended too late.

units::named! {
    /// An overrun policy, as simulators define them (MUR).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Overrun {
        /// Periods that came due in the meantime get no step.
        Skip = "skip",
        /// Every period gets its step; late steps follow each other without a pause.
        CatchUp = "catch-up",
        /// The step after a late one starts at once; all later periods shift by the same amount.
        Slip = "slip",
        Stop = "stop",
    }
}

impl Overrun {
    /// Returns the policy of that name, or the default if there is none.
    pub(crate) fn of(name: &str) -> Self {
        Self::named(name).unwrap_or(Self::Skip)
    }

    /// Refuses a run in intervals with due times that move.
    pub(crate) fn check_continuous(self) -> Result<(), String> {
        if matches!(self, Self::Skip | Self::CatchUp) {
            return Ok(());
        }
        Err("--overrun: intervals need due times that do not move; use skip or catch-up".to_owned())
    }

    /// Returns when the next step is due, after one that was due at the stamp `due` and ended at
    /// the stamp `end`. `None` means never.
    ///
    /// A step ends too late if `end` is past the next due time.
    pub(crate) fn next_due(self, due: u64, end: u64, period: u64) -> Option<u64> {
        let next = due + period;
        if end <= next {
            return Some(next);
        }
        match self {
            Self::Skip => Some(due + (end - due).div_ceil(period) * period),
            Self::CatchUp => Some(next),
            Self::Slip => Some(end),
            Self::Stop => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the due times of a run with period 10 in which step 1 takes 35, and every other 2.
    fn dues(overrun: Overrun) -> Vec<u64> {
        let (mut dues, mut now) = (vec![0], 0);
        for step in 0..6 {
            let due = dues[step];
            now = due.max(now) + if step == 1 { 35 } else { 2 };
            match overrun.next_due(due, now, 10) {
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
        for overrun in Overrun::ALL {
            assert_eq!(overrun.next_due(20, 30, 10), Some(30), "{overrun:?}");
        }
        assert_eq!(Overrun::Stop.next_due(20, 31, 10), None);
        // A period that comes due exactly at the end can still have its step.
        assert_eq!(Overrun::Skip.next_due(20, 40, 10), Some(40));
        assert_eq!(Overrun::Skip.next_due(20, 41, 10), Some(50));
    }
}
