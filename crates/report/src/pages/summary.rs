//! The summary of outcomes for a terminal: a table of every row, the warnings, the figures of
//! merit, what is hard, firm or soft, what the worst case is beyond what was seen, the verdict,
//! and what came of limits.

use analysis::standards::Standards;
use analysis::survey::systems;
use analysis::verdict::Change;
use analysis::{causes, clock, fail_if, self_test, verdict};
use plan::Outcome;

use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};

/// The summary.
pub(crate) fn summary(outcomes: &[Outcome], standards: &Standards) -> Document {
    let systems = systems(outcomes);
    let verdict = verdict::of(&systems, &standards.limits);
    let mut sections = sections::alarms(verdict.errors, verdict.clocks_differ);
    sections.extend(sections::results(&systems));
    sections.extend(sections::solvers(&systems));
    let limits = &standards.limits;
    for (title, sentences) in [
        ("Warnings", told::warnings(outcomes)),
        ("Not available", told::unavailable(outcomes)),
        ("What was late, and why", causes::sentences(&systems)),
        (
            "Figures of merit",
            told::figures_of_merit(&systems, standards.tolerance),
        ),
        (
            &format!("Real time ({limits})"),
            told::real_time(&systems, limits),
        ),
        ("Beyond what was seen", told::beyond(&systems)),
        ("What it holds", verdict.holds),
        ("What the platform takes", verdict.platform),
        ("What limits it", verdict.limits),
        (
            "Self-test",
            systems.iter().filter_map(self_test::sentence).collect(),
        ),
        (
            "What to change first",
            verdict.first.iter().map(Change::sentence).collect(),
        ),
        (
            "Limits (--fail-if)",
            fail_if::sentences(&standards.fail_if, outcomes),
        ),
        (clock::TITLE, clock::in_short(&systems)),
    ] {
        sections.extend(Section::told("", title, Tone::Detail, sentences));
    }
    Document::untitled(sections)
}
