//! What neighbours did, for a terminal.

use analysis::Analysis;

use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};

/// Every matrix, and the warnings.
pub(crate) fn interference(analysis: &Analysis) -> Document {
    let mut sections = sections::interference(&analysis.interference);
    let warnings = told::warnings(&analysis.outcomes);
    sections.extend(Section::told("", "Warnings", Tone::Detail, warnings));
    Document::untitled(sections)
}
