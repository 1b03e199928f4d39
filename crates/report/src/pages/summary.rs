//! The summary of outcomes for a terminal: a table of every row, the warnings, the figures of
//! merit, what is hard, firm or soft, what the worst case is beyond what was seen, the verdict,
//! and what came of limits.

use analysis::verdict::Change;
use analysis::{Analysis, causes, clock, fail_if, self_test};

use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};

/// The summary.
pub(crate) fn summary(analysis: &Analysis) -> Document {
    let Analysis { systems, verdict, outcomes, standards, .. } = analysis;
    let limits = &standards.limits;
    let mut sections = sections::alarms(verdict);
    sections.extend(sections::results(systems));
    sections.extend(sections::solvers(analysis));
    sections.extend(sections::experiment(analysis));
    // Of an experiment alone nothing is asked of it.
    let is_nothing_else = verdict.runs == 0 && analysis.experiment.is_some();
    let holds = if is_nothing_else { Vec::new() } else { verdict.holds.clone() };
    for (title, sentences) in [
        ("Warnings", told::warnings(outcomes)),
        ("Not available", told::unavailable(outcomes)),
        ("What was late, and why", causes::sentences(systems)),
        ("Figures of merit", told::figures_of_merit(&analysis.figures_of_merit)),
        (&format!("Real time ({limits})"), told::real_time(systems, limits)),
        ("Beyond what was seen", told::beyond(systems)),
        ("What it holds", holds),
        ("What the platform takes", verdict.platform.clone()),
        ("What limits it", verdict.limits.clone()),
        ("Self-test", systems.iter().filter_map(self_test::sentence).collect()),
        ("What to change first", verdict.first.iter().map(Change::sentence).collect()),
        ("Limits (--fail-if)", fail_if::sentences(&standards.fail_if, outcomes)),
        (clock::TITLE, clock::in_short(systems)),
    ] {
        sections.extend(Section::told("", title, Tone::Detail, sentences));
    }
    Document::untitled(sections)
}
