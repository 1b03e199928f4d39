//! The behaviour of a paced run after a step that ended too late.

use record::Parameters;

base::named! {
    /// An overrun policy, as simulators define them (MUR).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Overrun {
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
    /// Returns the policy of a run, or the default if it has none.
    pub fn of(parameters: &Parameters) -> Self {
        Self::named(parameters.overrun()).unwrap_or(Self::Skip)
    }

    /// Whether a step that ends too late can take the place of others.
    pub fn leaves_out(self) -> bool {
        matches!(self, Self::Skip | Self::Stop)
    }

    /// Refuses a run in intervals with due times that move.
    ///
    /// # Errors
    /// Names `--overrun` and what is possible.
    pub fn check_continuous(self) -> Result<(), String> {
        if matches!(self, Self::Skip | Self::CatchUp) {
            return Ok(());
        }
        Err("--overrun: intervals need due times that do not move; use skip or catch-up".to_owned())
    }
}
