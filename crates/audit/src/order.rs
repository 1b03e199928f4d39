//! What is asked of the process that steps the model.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What is to be audited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The library or the FMU.
    pub file: PathBuf,
    /// How many steps it makes.
    pub steps: u64,
    /// Names and values of variables that are set before the start.
    pub set: Vec<(String, String)>,
    /// The functions of a library that are called in place of those that its shape tells.
    pub functions: Functions,
    /// How long a step may take until it counts as one that never returns.
    pub longest: Duration,
}

/// Names of a library's functions; `None` where its shape tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Functions {
    /// Called once before the first step.
    pub init: Option<String>,
    /// Called for each step.
    pub step: Option<String>,
    /// Called once after the last step.
    pub end: Option<String>,
}

/// A pass over the steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub request: Request,
    /// Whether the process watches itself, or is watched from outside.
    pub from_inside: bool,
}
