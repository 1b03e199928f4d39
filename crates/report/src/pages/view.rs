//! One view, for a terminal.

use analysis::Analysis;

use crate::document::{Document, Section, Tone};
use crate::sections::told;
use crate::views::View;

/// Returns the sections of a view, and the warnings of the runs.
pub(crate) fn of_view(view: &dyn View, analysis: &Analysis) -> Document {
    let mut sections = view.sections(analysis);
    let warnings = told::warnings(&analysis.outcomes);
    sections.extend(Section::told("", "Warnings", Tone::Detail, warnings));
    Document::untitled(sections)
}
