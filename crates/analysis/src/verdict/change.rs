//! A change of a machine or of a run that a limit calls for.

use serde::Serialize;

/// A change of a machine or of a run that a limit calls for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What the doctor found; `None` if only the run is to change.
    pub found: Option<String>,
    #[serde(flatten)]
    pub how: How,
    /// The command or setting that makes it, if there is one.
    pub command: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum How {
    /// By the command; with further notes on it.
    Command { besides: Vec<String> },
    /// On the kernel's command line.
    AtBoot { explained: String },
    /// In any other way.
    Otherwise { change: String },
    /// By another run.
    Run { remedy: String },
}
