//! One view as a page.

use analysis::Analysis;

use super::results::{around, subtitle};
use crate::document::Document;
use crate::views::{Telling, View};

/// Returns the page of a view: its answer and sections, the machines and every run.
pub(crate) fn page_of_view(view: &dyn View, analysis: &Analysis) -> Document {
    let answer = view.answer(analysis);
    let subtitle = subtitle(analysis, &answer);
    let sections = around(analysis, &answer, view.picture(analysis), None, view.sections(analysis));
    Document { title: answer.subject, subtitle, sections, ..Document::default() }
        .headed(&analysis.heading)
}
