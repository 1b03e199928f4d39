//! Findings about the findings of published studies.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutStudies {
    /// How many findings of published studies have each verdict.
    StudiesJudged {
        findings: usize,
        holds: usize,
        reversed: usize,
        undecided: usize,
        not_measured: usize,
        not_testable: usize,
    },
    /// The false-discovery rate of the verdicts on published findings.
    StudiesEvidence,
    /// A published finding that is shown not to hold, and a known reason for it, which may be empty.
    StudyReversed { id: String, statement: String, reason: String },
}
