//! One view, for a terminal and as a page.

use analysis::Analysis;

use super::results::{around, subtitle};
use crate::document::{Document, Section, Tone};
use crate::sections::told;
use crate::views::{Telling, View};

/// Returns the sections of a view, and the warnings of the runs.
pub(crate) fn of_view(view: &(impl View + ?Sized), analysis: &Analysis) -> Document {
    let mut sections = view.sections(analysis);
    let warnings = told::warnings(&analysis.outcomes);
    sections.extend(Section::told("", "Warnings", Tone::Detail, warnings));
    Document::untitled(sections)
}

/// Returns the page of a view: its answer and sections, the machines and every run.
pub(crate) fn page_of_view(view: &dyn View, analysis: &Analysis) -> Document {
    let answer = view.answer(analysis);
    let picture = view.picture(analysis);
    Document {
        title: answer.subject.clone(),
        subtitle: subtitle(analysis, &answer),
        sections: around(analysis, &answer, picture, None, view.sections(analysis)),
        ..Document::default()
    }
    .headed(&analysis.heading)
}
