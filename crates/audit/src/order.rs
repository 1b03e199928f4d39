//! What is requested from the process that steps the model.

use std::time::Duration;

use record::RunSpec;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The run that names the model. Its conditions are not set up.
    pub run: RunSpec,
    pub steps: u64,
    /// Time after which a step counts as one that never returns.
    pub longest: Duration,
    /// How long the first pass may take: it ends with the step that is under way then, and the
    /// second one makes as many steps.
    pub longest_pass: Duration,
}

/// One pass over the steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub request: Request,
    /// True if the process watches itself; false if it is watched from outside.
    pub from_inside: bool,
}
