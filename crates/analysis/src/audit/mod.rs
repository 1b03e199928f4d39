//! What an audit of a model's step found: judged from the raw record, the worst first.

mod answer;
mod finding;
mod kind;
mod steps;

use plan::{AuditRecord, CodePlace, Occurrence, PassEnd};
use serde::Serialize;

use crate::answer::Answer;
use crate::fields::SCHEMA_VERSION;

pub use finding::{Finding, told_place};
pub use kind::FindingKind;

/// Stack that a run touches before it measures, in bytes.
const TOUCHED_STACK: u64 = 128 << 10;

/// An audit, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audited {
    schema_version: u32,
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
    /// Judges a record.
    #[must_use]
    pub fn of(record: &AuditRecord) -> Self {
        let [inside, outside] = [&record.inside, &record.outside];
        let mut not_seen = inside.not_seen.clone();
        if let PassEnd::NotMade(why) = &outside.end {
            not_seen.push(format!("system calls: {why}"));
        }
        if inside.lost + outside.lost > 0 {
            not_seen.push(format!(
                "where {} more calls came from",
                inside.lost + outside.lost
            ));
        }
        let mut audited = Self {
            schema_version: SCHEMA_VERSION,
            file: record.file.clone(),
            interface: record.interface.clone(),
            steps: record.steps,
            findings: finding::all(record),
            beside: beside(inside.occurrences.iter().chain(&outside.occurrences)),
            stack_bytes: inside.stack_bytes,
            outputs: inside.outputs,
            outputs_hash: inside.outputs_hash.clone(),
            not_seen,
            system_calls_seen: !matches!(outside.end, PassEnd::NotMade(_)),
            answer: Answer::default(),
        };
        audited.answer = answer::of(&audited);
        audited
    }

    /// Whether nothing was found, and all was looked for.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.system_calls_seen
    }
}

fn beside<'a>(all: impl Iterator<Item = &'a Occurrence>) -> Vec<Beside> {
    let others = all.filter(|one| !one.by_step && one.count() > 0);
    let told = others.map(|one| Beside {
        name: one.name.clone(),
        count: one.count(),
        place: one.place.clone(),
    });
    told.collect()
}

#[cfg(test)]
mod tests;
