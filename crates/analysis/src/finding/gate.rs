//! Findings of gates.

use serde::Serialize;

use super::standing::Standing;
use crate::gate::NotMeasured;

/// A finding of a gate on hardware.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutGate {
    /// Every row of B is within the margin; this one is nearest to it.
    Passes(RatioToA),
    /// B is worse by more than the margin.
    Fails(RatioToA),
    Undecided {
        #[serde(flatten)]
        ratio: RatioToA,
        /// The time of further rounds that would decide with 80 % probability.
        more_ns: Option<u64>,
    },
    /// A differs from itself by more than the margin.
    Unsteady {
        row: String,
        figure: &'static str,
        /// The interval of A's second runs, divided by its first ones.
        again: [f64; 3],
        margin: f64,
    },
    NotMeasured {
        row: String,
        why: NotMeasured,
    },
    /// What was run.
    Sides {
        runs: [String; 2],
        rounds: usize,
        left_out: usize,
    },
    /// How often such a gate is wrong, and what it finds.
    Rates {
        /// The highest share of wrong answers.
        wrong: f64,
        /// The share of resampled gates of A against itself that would fail, over all rows.
        false_alarms: f64,
        /// The ratio that would fail in 80 % of such gates.
        detectable: f64,
    },
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

impl AboutGate {
    pub(super) fn standing(&self) -> Standing {
        match self {
            Self::Passes(_) => Standing::Good,
            Self::Fails(_) => Standing::Bad,
            _ => Standing::Open,
        }
    }
}
