//! What an audit of a model's step found: judged from the raw record, the worst first.

mod audited;
mod finding;
mod kind;
mod steps;

use plan::{AuditRecord, Occurrence, PassEnd};

use crate::fields::SCHEMA_VERSION;

pub use audited::{Audited, Beside};
pub use finding::{Details, Finding, TOUCHED_STACK};
pub use kind::FindingKind;
pub use steps::Pattern;

impl Audited {
    /// Judges a record.
    pub fn of(record: &AuditRecord) -> Self {
        let [inside, outside] = [&record.inside, &record.outside];
        let mut not_seen = inside.not_seen.clone();
        if let PassEnd::NotMade(why) = &outside.end {
            not_seen.push(format!("system calls: {why}"));
        }
        if inside.lost + outside.lost > 0 {
            not_seen.push(format!("where {} more calls came from", inside.lost + outside.lost));
        }
        Self {
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
        }
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
