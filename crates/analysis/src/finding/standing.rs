//! What kind of news a finding is.

use serde::Serialize;

/// The kind of news that a finding is, the worst last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing to judge.
    #[default]
    Plain,
    /// The requirement is shown to hold.
    Good,
    /// Nothing contradicts the requirement, but the evidence is not sufficient.
    Open,
    /// The requirement is not met.
    Bad,
}
