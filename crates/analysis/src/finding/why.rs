//! Why nothing can be concluded.

use serde::Serialize;

use crate::words::{listed, times};

/// A reason why nothing can be concluded.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Why {
    #[error("there are no valid runs of both kinds to compare")]
    NothingToCompare,
    #[error("no idle control (sham) was measured")]
    NoSham,
    #[error("{} could not be set, so nothing is claimed", listed(controls))]
    ControlsNotSet { controls: Vec<String> },
    #[error("the experiment ended before its controls were tried")]
    Unfinished,
    #[error("the sham, which changes nothing, shows an effect, so nothing is claimed")]
    ShamDetected,
    /// An experiment shows no effect of a disturbance that is there.
    #[error("the positive control shows no effect, so nothing is claimed")]
    PositiveControlMissed,
    #[error(
        "the idle control (sham) also differs from quiet runs ({} {})",
        figure.name(),
        interval_x(*interval)
    )]
    ShamDiffers { figure: Compared, interval: [f64; 2] },
}

impl Why {
    pub(super) fn what_decides(&self) -> &'static str {
        match self {
            Self::NothingToCompare => {
                "remove what makes the runs INVALID, then use the same command"
            }
            Self::NoSham => {
                "measure the sham too: it is always among the aggressors of `interfere`"
            }
            Self::ControlsNotSet { .. } => "remove what prevents it, then use the same command",
            Self::Unfinished => "the same command continues the experiment",
            Self::ShamDetected | Self::ShamDiffers { .. } => {
                "repeat it with a longer `--budget` and another `--out` while nothing else runs; \
                 something else changes the times as much as what is tried"
            }
            Self::PositiveControlMissed => {
                "repeat it with a longer `--budget` and another `--out`; more runs show smaller effects"
            }
        }
    }
}

/// `0.9x to 1.2x`.
pub(super) fn interval_x(ends: [f64; 2]) -> String {
    ends.map(|end| format!("{}x", times(end))).join(" to ")
}

/// A figure that runs are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// The odds of a missed deadline.
    MissOdds,
    P999,
    P99,
    Median,
}

impl Compared {
    pub fn name(self) -> &'static str {
        match self {
            Self::MissOdds => "odds of a miss",
            Self::P999 => "p99.9",
            Self::P99 => "p99",
            Self::Median => "median",
        }
    }
}
