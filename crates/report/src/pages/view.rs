//! One view, for a terminal and as a page.

use analysis::{Analysis, survey};

use super::results::subtitle;
use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};
use crate::views::View;

/// Returns the sections of a view, and the warnings of the runs.
pub(crate) fn of_view(view: &dyn View, analysis: &Analysis) -> Document {
    let mut sections = view.sections(analysis);
    let warnings = told::warnings(&analysis.outcomes);
    sections.extend(Section::told("", "Warnings", Tone::Detail, warnings));
    Document::untitled(sections)
}

/// Returns the page of a view: its answer and sections, the machines and every run.
pub(crate) fn page_of_view(view: &dyn View, analysis: &Analysis) -> Document {
    let verdict = &analysis.verdict;
    let answer = view.answer(analysis);
    let mut all = sections::alarms(verdict);
    all.push(sections::glance(analysis, &answer, view.picture(analysis)));
    all.extend(sections::clock_meaning(verdict, true));
    let own = survey::without_self_tests(analysis.outcomes.iter().copied());
    all.extend(sections::invalid(own, [verdict.invalid, verdict.runs], survey::summarised));
    all.extend(view.sections(analysis));
    all.extend(sections::machines(analysis));
    all.extend(sections::runs(&analysis.outcomes));
    Document {
        title: answer.subject.clone(),
        subtitle: subtitle(analysis, &answer),
        sections: all,
        ..Document::default()
    }
    .headed(&analysis.heading)
}
