//! The answer of a row of a gate.

use serde::Serialize;

use crate::words::{counted, unavailable};

/// The answer of a row; that of a gate is the worst one of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GateAnswer {
    Passes,
    Undecided,
    NotMeasured,
    Fails,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RowAnswer {
    /// The whole interval is within the margin.
    Passes,
    /// The whole interval is beyond the margin.
    Fails,
    /// The interval contains the margin, or is beyond it in a gate that finds only large ratios.
    Undecided {
        /// Time of further rounds that would decide, in nanoseconds; null too close to the margin.
        more_ns: Option<u64>,
    },
    /// A differs from itself by more than the margin.
    Unsteady,
    /// There is nothing to compare.
    NotMeasured {
        /// Why: its kind, and the values that belong to it.
        why: NotMeasured,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WhyNotMeasured"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NotMeasured {
    /// There are not enough rounds in which every run is valid.
    #[error("{} is too few; increase --budget", counted(*rounds, "complete round"))]
    TooFewRounds {
        /// Number of complete rounds.
        rounds: usize,
    },
    /// Only one side has the row.
    #[error("only one side has this row")]
    OnOneSide,
    /// The machine cannot measure the row.
    #[error("{}", unavailable(needs))]
    Unavailable {
        /// What it needs.
        needs: String,
    },
    /// A run has too few samples for the figure.
    #[error("a run has too few samples for this figure")]
    TooFewSamples,
}

impl RowAnswer {
    pub fn kind(&self) -> GateAnswer {
        match self {
            Self::Passes => GateAnswer::Passes,
            Self::Fails => GateAnswer::Fails,
            Self::Undecided { .. } | Self::Unsteady => GateAnswer::Undecided,
            Self::NotMeasured { .. } => GateAnswer::NotMeasured,
        }
    }
}

impl RowAnswer {
    /// Returns the answer as a part of a sentence: `passes`, `undecided: 30 more seconds would decide`.
    pub fn words(&self) -> String {
        match self {
            Self::Passes => "passes".to_owned(),
            Self::Fails => "FAILS".to_owned(),
            Self::Undecided { more_ns } => format!("undecided: {}", would_decide(*more_ns)),
            Self::Unsteady => "undecided: A differs from itself".to_owned(),
            Self::NotMeasured { why } => format!("not measured: {why}"),
        }
    }
}

pub(super) fn would_decide(more_ns: Option<u64>) -> String {
    match more_ns {
        None => "they are too close to decide it in reasonable time, so choose another --margin"
            .to_owned(),
        Some(more_ns) => {
            let time = match more_ns.div_ceil(1_000_000_000) {
                seconds @ ..=90 => counted(seconds as usize, "more second"),
                seconds => counted(seconds.div_ceil(60) as usize, "more minute"),
            };
            format!("{time} would decide")
        }
    }
}
