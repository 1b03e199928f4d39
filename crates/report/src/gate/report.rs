//! The JSON of a gate in the lab.

use analysis::gate::Exact;
use base::SchemaVersion;
use serde::Serialize;

use super::view::exact_gate;
use crate::answer::Answer;

/// Output of `steadfast gate check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExactGate<'g> {
    schema_version: SchemaVersion<1>,
    /// A plan in the lab, compared run by run with its baseline.
    gate: &'g Exact,
    /// The answer in words.
    answer: Answer,
}

impl<'g> ExactGate<'g> {
    pub fn of(gate: &'g Exact) -> Self {
        Self { schema_version: SchemaVersion, gate, answer: exact_gate(gate) }
    }
}
