//! What an audit of a model's step found: judged from the raw record, the worst first.

mod finding;
mod steps;

use plan::{AuditRecord, CodePlace, PassEnd};
use serde::Serialize;

use crate::fields::SCHEMA_VERSION;
use crate::words::listed;

pub use finding::{Details, Finding, FindingKind, TOUCHED_STACK};
pub use steps::Pattern;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audited {
    schema_version: u32,
    pub file: String,
    /// The path of the part of a system that was audited, if the file is one.
    pub part: Option<String>,
    pub interface: String,
    /// Steps that each pass was to take.
    pub steps: u64,
    pub findings: Vec<Finding>,
    /// What threads created by the model do: not a fault of the step.
    pub beside: Vec<Beside>,
    pub stack_bytes: u64,
    pub outputs: u64,
    pub outputs_hash: Option<String>,
    pub not_seen: Vec<String>,
    pub system_calls_seen: bool,
    /// Whether the model is a separate program, which was watched only from outside.
    pub is_program: bool,
    /// The last lines that the model printed or logged, if it failed.
    pub printed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beside {
    pub name: String,
    pub count: u64,
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
        let others = all.filter(|one| !one.by_step && one.count() > 0);
        let beside = others.map(|one| Beside {
            name: one.name.clone(),
            count: one.count(),
            place: one.place.clone(),
        });
        let findings = finding::all(record);
        let has_failed = findings.iter().any(|found| found.kind.is_failure());
        let printed = [&outside.printed, &inside.printed].into_iter().find(|all| !all.is_empty());
        let printed = printed.filter(|_| has_failed).cloned().unwrap_or_default();
        Self {
            schema_version: SCHEMA_VERSION,
            file: record.file.clone(),
            part: None,
            interface: record.interface.clone(),
            steps: record.steps,
            findings,
            beside: beside.collect(),
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
