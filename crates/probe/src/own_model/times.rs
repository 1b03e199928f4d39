//! The model's own time.

/// When the steps of a model begin, in its own time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Times {
    /// The time of step 0, in seconds.
    pub(super) start: f64,
    /// The length of a step, in seconds.
    pub(super) step: f64,
}

impl Times {
    /// When the step of that number begins, in seconds: computed from the number, so that no
    /// error adds up.
    #[inline]
    pub(super) fn at(self, number: u64) -> f64 {
        self.start + number as f64 * self.step
    }
}
