//! An audit as it is told.

use plan::{CodePlace, ModelAudited};
use serde::Serialize;

use super::finding::Finding;
use crate::answer::Answer;

/// An audit, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audited {
    pub(super) schema_version: u32,
    /// The file of the model.
    pub file: String,
    /// How it is stepped.
    pub interface: String,
    /// Steps that each pass was to make.
    pub steps: u64,
    /// What a real-time step must not do and this one does, the worst first.
    pub findings: Vec<Finding>,
    /// What threads that the model has made do: no fault of the step.
    pub beside: Vec<Beside>,
    /// The most stack that a step used, in bytes.
    pub stack_bytes: u64,
    /// Outputs that were looked at after each step.
    pub outputs: u64,
    /// Hash of the outputs of all steps.
    pub outputs_hash: Option<String>,
    /// What could not be watched, and why.
    pub not_seen: Vec<String>,
    /// Whether system calls could be watched.
    pub system_calls_seen: bool,
    /// The answer in words.
    pub answer: Answer,
}

/// What a thread of the model's own does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beside {
    /// The function or the system call.
    pub name: String,
    /// How often while steps were made.
    pub count: u64,
    /// Where it comes from.
    pub place: Option<CodePlace>,
}

impl Audited {
    /// What later runs of the model tell of it, whose file has this hash.
    #[must_use]
    pub fn told(&self, file_sha256: &str, tool_version: &str, at_unix_ns: u64) -> ModelAudited {
        let found = self.findings.iter().map(|finding| finding.told.clone());
        ModelAudited {
            file_sha256: file_sha256.to_owned(),
            at_unix_ns,
            tool_version: tool_version.to_owned(),
            interface: self.interface.clone(),
            steps: self.steps,
            found: found.collect(),
            not_seen: self.not_seen.clone(),
        }
    }

    /// Whether nothing was found, and all was looked for.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.system_calls_seen
    }
}
