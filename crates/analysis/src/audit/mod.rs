//! What an audit of a model's step found: judged from the raw record, the worst first.

mod answer;
mod finding;
mod kind;
mod steps;
mod words;

use record::{AuditRecord, CodePlace, PassEnd};
use serde::Serialize;

use crate::words::listed;

pub use finding::{Details, Finding, TOUCHED_STACK};
pub use kind::FindingKind;
pub use steps::Pattern;
pub use words::place;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Audited {
    /// Path of the model's file or of the system, or the command of a program.
    pub file: String,
    /// Path of the part of a system that this document is about; null if the file is not an SSP.
    pub part: Option<String>,
    /// How the model is stepped, such as `library` or `FMI 3.0 Co-Simulation`.
    pub interface: String,
    /// Number of steps that each of the two passes was to run; if `--for` ended the first pass, the
    /// number that it ran.
    pub steps: u64,
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// Calls that the model's own threads make while steps run; these are not a fault of the step.
    pub concurrent: Vec<ConcurrentCalls>,
    /// Largest stack use of a step, in bytes; at most the size that was examined.
    pub stack_bytes: u64,
    /// Number of outputs that were read after each step.
    pub outputs: u64,
    /// Hash of the outputs of all steps, 16 hexadecimal digits; null if no outputs were read.
    pub outputs_hash: Option<String>,
    /// What could not be watched, and why.
    pub not_seen: Vec<String>,
    /// Whether system calls could be watched; if false, an empty `findings` does not mean a clean
    /// model.
    pub system_calls_seen: bool,
    /// Whether the model is a separate program, which was watched only from outside.
    pub is_program: bool,
    /// The last lines that the model printed or logged, if it crashed, never returned or failed;
    /// otherwise empty.
    pub printed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConcurrentCalls {
    /// Name of the function or system call.
    pub name: String,
    /// Number of calls during the steps.
    pub count: u64,
    /// Place in the code that the calls come from; null if it is unknown.
    pub place: Option<CodePlace>,
}

impl Audited {
    pub fn of(record: &AuditRecord) -> Self {
        let [inside, outside] = [&record.inside, &record.outside];
        let mut not_seen = inside.not_seen.clone();
        if let PassEnd::NotMade(why) = &outside.end {
            not_seen.push(format!("system calls: {why}"));
        }
        if inside.lost + outside.lost > 0 {
            not_seen.push(format!("where {} more calls came from", inside.lost + outside.lost));
        }
        let all = inside.occurrences.iter().chain(&outside.occurrences);
        let others = all.filter(|occurrence| !occurrence.by_step && occurrence.count() > 0);
        let concurrent = others.map(|occurrence| ConcurrentCalls {
            name: occurrence.name.clone(),
            count: occurrence.count(),
            place: occurrence.place.clone(),
        });
        let findings = finding::all(record);
        let has_failed = findings.iter().any(|found| found.kind.is_failure());
        let printed = [&outside.printed, &inside.printed].into_iter().find(|all| !all.is_empty());
        let printed = printed.filter(|_| has_failed).cloned().unwrap_or_default();
        Self {
            file: record.file.clone(),
            part: None,
            interface: record.interface.clone(),
            steps: record.steps,
            findings,
            concurrent: concurrent.collect(),
            stack_bytes: inside.stack_bytes,
            outputs: inside.outputs,
            outputs_hash: inside.outputs_hash.clone(),
            not_seen,
            system_calls_seen: !matches!(outside.end, PassEnd::NotMade(_)),
            is_program: record.is_program,
            printed,
        }
    }

    /// Says that this is the audit of a part of a system, whose inputs other parts set in a run.
    #[must_use]
    pub fn of_part(self, system: &str, path: &str, inputs: &[String]) -> Self {
        let mut not_seen = self.not_seen;
        if !inputs.is_empty() {
            let names = listed(inputs);
            let verb =
                if inputs.len() == 1 { "has its start value" } else { "have their start values" };
            not_seen.push(format!(
                "steps with other inputs: {names} {verb}, since each part is stepped alone"
            ));
        }
        Self { file: system.to_owned(), part: Some(path.to_owned()), not_seen, ..self }
    }

    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.system_calls_seen
    }
}

#[cfg(test)]
mod tests;
