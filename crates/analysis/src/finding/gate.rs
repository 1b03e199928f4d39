//! Findings of gates.

use serde::Serialize;

use crate::gate::{Difference, NotMeasured, SetupDiffers};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutGate {
    /// Every row of B is within the margin; this one is nearest to it.
    Passes(RatioToA),
    /// B is worse by more than the margin.
    Fails(RatioToA),
    /// The interval contains the margin.
    Undecided {
        #[serde(flatten)]
        ratio: RatioToA,
        /// The time of further rounds that would decide with 80 % probability.
        more_ns: Option<u64>,
    },
    /// A differs from itself by more than the margin: its second runs, divided by its first ones, with
    /// the interval.
    Unsteady { row: String, figure: &'static str, again: [f64; 3], margin: f64 },
    /// A row without a comparison.
    NotMeasured { row: String, why: NotMeasured },
    /// What was run.
    Sides { runs: [String; 2], rounds: usize, left_out: usize },
    /// How often such a gate is wrong, and what it finds: the highest share of wrong answers, the
    /// share of resampled gates of A against itself that would fail, over all rows, and the ratio
    /// that would fail in 80 % of such gates.
    Rates { wrong: f64, false_alarms: f64, detectable: f64 },
    /// Every run in the lab is equal to its baseline, or differs as allowed.
    Equal { baseline: String, runs: usize, rows: usize },
    /// A run in the lab differs from its baseline.
    RunDiffers { run: String, kernel: String, difference: Difference },
    /// A run in the lab that was not made, or is INVALID.
    NotMade { run: String, why: String },
    /// A run in the lab differs from its baseline as it may.
    Allowed { run: String, reason: String },
    /// The setup in the lab is not that of the baseline.
    SetupDiffers { facts: Vec<SetupDiffers> },
}

/// How many times A's figure that of B is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatioToA {
    pub row: String,
    pub figure: &'static str,
    /// Lower end, estimate, upper end.
    pub times: [f64; 3],
    pub margin: f64,
}
