//! Results of an audit.

use plan::CodePlace;
use serde::Serialize;

use super::finding::Finding;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audited {
    pub(super) schema_version: u32,
    pub file: String,
    /// The interface by which it is stepped.
    pub interface: String,
    /// Steps that each pass was to take.
    pub steps: u64,
    /// What this step does and a real-time step must not do, the worst first.
    pub findings: Vec<Finding>,
    /// What threads created by the model do: not a fault of the step.
    pub beside: Vec<Beside>,
    /// The most stack that a step used, in bytes.
    pub stack_bytes: u64,
    /// Number of outputs that were read after each step.
    pub outputs: u64,
    /// Hash of the outputs of all steps.
    pub outputs_hash: Option<String>,
    /// What could not be watched, and why.
    pub not_seen: Vec<String>,
    pub system_calls_seen: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beside {
    /// Name of the function or system call.
    pub name: String,
    /// How often during the steps.
    pub count: u64,
    pub place: Option<CodePlace>,
}

impl Audited {
    /// Whether nothing was found, and everything was watched.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.system_calls_seen
    }
}
