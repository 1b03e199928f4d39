//! What a search found, for a terminal.

use analysis::standards::Standards;
use analysis::survey::systems;
use analysis::words;
use plan::Outcome;

use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};

/// Where the frontier lies, what shows it and what spoils it, the warnings, and what is to be
/// said of the search.
pub(crate) fn frontier(
    outcomes: &[Outcome],
    standards: &Standards,
    size: Option<u64>,
    search: &[String],
) -> Document {
    let mut sections = Vec::from_iter(sections::searched(&systems(outcomes), standards, size));
    sections.extend(warnings(outcomes));
    let search = search.to_vec();
    sections.extend(Section::told("", "The search", Tone::Detail, search));
    Document::untitled(sections)
}

/// Every map of the outcomes, with its edges beside the published ones.
pub(crate) fn map(outcomes: &[Outcome], standards: &Standards) -> Document {
    let mut sections = sections::drawn(&systems(outcomes), standards);
    let invalid = outcomes.iter().filter(|outcome| !outcome.is_valid());
    let invalid = match invalid.count() {
        0 => Vec::new(),
        runs => vec![words::counted(runs, "run")],
    };
    sections.extend(Section::told(
        "",
        "INVALID, and on no map",
        Tone::Alarm,
        invalid,
    ));
    sections.extend(warnings(outcomes));
    Document::untitled(sections)
}

fn warnings(outcomes: &[Outcome]) -> Option<Section> {
    Section::told("", "Warnings", Tone::Detail, told::warnings(outcomes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_not_used_are_told_with_what_mends_them() {
        let refused = crate::fixture::refused();
        let document = frontier(&[refused], &Standards::default(), None, &[]);
        let text = crate::render::terminal::terminal(&document);
        assert!(text.contains("INVALID: "), "{text}");
        assert!(!text.contains("Holds .. misses"), "{text}");
    }
}
