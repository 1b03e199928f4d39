//! Audits of a model's step.

mod answer;
mod report;
mod section;

use analysis::audit::Audited;

use crate::document::Document;
use crate::render::terminal::terminal;
pub use answer::audit_answer;
pub use report::AuditReport;

pub fn audit(audited: &Audited) -> String {
    terminal(&Document::untitled(vec![section::found(audited)]))
}
