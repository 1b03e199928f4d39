//! What a search found, for a terminal.

use analysis::{Analysis, words};

use crate::document::{Document, Section, Tone};
use crate::sections::{self, told};

/// Where the frontier lies, what shows it and what spoils it, the warnings, and what is to be
/// said of the search.
pub(crate) fn frontier(analysis: &Analysis, size: Option<u64>, search: &[String]) -> Document {
    let mut sections = Vec::from_iter(sections::searched(analysis, size));
    sections.extend(warnings(analysis));
    let search = search.to_vec();
    sections.extend(Section::told("", "The search", Tone::Detail, search));
    Document::untitled(sections)
}

/// Every map, with its edges beside the published ones.
pub(crate) fn map(analysis: &Analysis) -> Document {
    let mut sections = sections::drawn(&analysis.maps, analysis.standards);
    let outcomes = analysis.outcomes.iter();
    let invalid = outcomes.filter(|outcome| !outcome.is_valid());
    let invalid = match invalid.count() {
        0 => Vec::new(),
        runs => vec![words::counted(runs, "run")],
    };
    sections.extend(Section::told("", "INVALID, and on no map", Tone::Alarm, invalid));
    sections.extend(warnings(analysis));
    Document::untitled(sections)
}

fn warnings(analysis: &Analysis) -> Option<Section> {
    let sentences = told::warnings(&analysis.outcomes);
    Section::told("", "Warnings", Tone::Detail, sentences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::standards::Standards;

    #[test]
    fn runs_that_are_not_used_are_told_with_what_mends_them() {
        let (runs, standards) = ([crate::fixture::refused()], Standards::default());
        let document = frontier(&Analysis::of(&runs, &standards), None, &[]);
        let text = crate::render::terminal::terminal(&document);
        assert!(text.contains("INVALID: "), "{text}");
        assert!(!text.contains("Holds .. misses"), "{text}");
    }
}
