//! One view as a page.

use analysis::Analysis;

use super::results::{around, subtitle};
use crate::document::Document;
use crate::views::{Telling, View};

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
