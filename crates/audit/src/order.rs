//! What is asked of the process that steps the model.

use std::time::Duration;

use plan::RunSpec;
use serde::{Deserialize, Serialize};

/// What is to be audited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The run that asks for the model. Its conditions are not set up.
    pub run: RunSpec,
    /// How many steps are made.
    pub steps: u64,
    /// How long a step may take until it counts as one that never returns.
    pub longest: Duration,
}

/// A pass over the steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub request: Request,
    /// Whether the process watches itself, or is watched from outside.
    pub from_inside: bool,
}
