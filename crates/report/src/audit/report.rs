//! The JSON of an audit.

use analysis::audit::{self, Audited};
use base::SchemaVersion;
use serde::Serialize;

use super::answer::audit_answer;
use crate::answer::Answer;

/// Output of `steadfast audit --json`. For a system of FMUs (an SSP), one document per part, each on
/// one line.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditReport<'a> {
    schema_version: SchemaVersion<2>,
    #[serde(flatten)]
    audited: &'a Audited,
    /// What the steps do that real-time steps must not, the worst first; empty if nothing was
    /// found.
    findings: Vec<AuditFinding<'a>>,
    /// The short answer, as a terminal shows it without `--verbose`.
    answer: Answer,
}

/// A finding of an audit, also in words.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AuditFinding<'a> {
    #[serde(flatten)]
    finding: &'a audit::Finding,
    /// When it occurs, in a few words, such as `every step`; empty for `outputs_differ` and
    /// `stack`.
    when: String,
    /// The finding as a sentence, without initial capital and final full stop.
    told: String,
    /// Remedy for this kind of finding, in words.
    remedy: &'static str,
}

impl<'a> AuditReport<'a> {
    pub fn of(audited: &'a Audited) -> Self {
        let in_words = |finding: &'a audit::Finding| AuditFinding {
            finding,
            when: finding.when(),
            told: finding.in_words(audited.steps),
            remedy: finding.kind.remedy(),
        };
        Self {
            schema_version: SchemaVersion,
            audited,
            findings: audited.findings.iter().map(in_words).collect(),
            answer: audit_answer(audited),
        }
    }
}
