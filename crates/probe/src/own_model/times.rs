//! The time of the model.

/// The start times of a model's steps, in the model's time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Times {
    /// Time of step 0, in seconds.
    pub(super) start: f64,
    /// Length of a step, in seconds.
    pub(super) step: f64,
}

impl Times {
    /// Begin of a step in seconds, computed from its number so that errors do not add up.
    #[inline]
    pub(super) fn at(self, number: u64) -> f64 {
        self.start + number as f64 * self.step
    }
}
