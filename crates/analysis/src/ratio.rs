//! How many times one figure is another, with its interval.

use serde::Serialize;

use crate::comparison::contrasts::Compared;

/// The ratio of a figure to its value in the runs that it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    /// The figure in the reference runs: nanoseconds, or a share of deadlines.
    pub quiet: f64,
    /// The figure in the other runs.
    pub beside: f64,
    pub lower: f64,
    /// The ratio; for shares, of the odds.
    pub ratio: f64,
    pub upper: f64,
    pub shown: bool,
}

impl Ratio {
    /// Converts a comparison; `None` if the run-to-run variation is unknown.
    pub(crate) fn of(compared: &Compared) -> Option<Self> {
        let [lower, ratio, upper] = compared.interval?;
        let [quiet, beside] = compared.values;
        Some(Self { quiet, beside, lower, ratio, upper, shown: compared.is_shown })
    }

    /// Whether it is shown to be larger than in the runs it is compared with.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        self.shown && self.ratio > 1.0
    }
}
