//! What is requested from the process that steps the model.

use std::time::Duration;

use plan::RunSpec;
use serde::{Deserialize, Serialize};

/// What to audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The run that names the model. Its conditions are not set up.
    pub run: RunSpec,
    /// Number of steps to do.
    pub steps: u64,
    /// Time after which a step counts as one that never returns.
    pub longest: Duration,
    /// How long the first pass may take: it ends with the step that is under way then, and the
    /// second one makes as many steps.
    pub longest_pass: Duration,
}

impl Request {
    /// How long the model may keep a CPU at a real-time priority that it has given itself, without
    /// waiting, in microseconds: as long as a step may take.
    pub(crate) fn longest_spin_us(&self) -> u64 {
        u64::try_from(self.longest.as_micros()).unwrap_or(u64::MAX)
    }
}

/// One pass over the steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub request: Request,
    /// True if the process watches itself; false if it is watched from outside.
    pub from_inside: bool,
}
