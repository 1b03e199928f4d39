//! How many times one figure is another, with its interval.

use serde::Serialize;

use crate::comparison::contrasts::Compared;

/// How many times one figure is what it is in the runs that it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    /// The figure in these: nanoseconds, or a share of deadlines.
    pub quiet: f64,
    /// The figure beside what is tried.
    pub beside: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// How many times it is; of shares the odds.
    pub ratio: f64,
    /// The upper end.
    pub upper: f64,
    /// Whether a difference is shown.
    pub shown: bool,
}

impl Ratio {
    /// What was compared; `None` where nothing tells how far runs differ.
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
