//! What best-effort work came to beside rates, for a terminal.

use analysis::Analysis;

use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};

/// Every mix that was tried so, and the warnings.
pub(crate) fn best_effort(analysis: &Analysis) -> Document {
    let mut sections = sections::best_effort(&analysis.best_effort);
    let warnings = told::warnings(&analysis.outcomes);
    sections.extend(Section::told("", "Warnings", Tone::Detail, warnings));
    Document::untitled(sections)
}
