//! The text of a diagnosis: the answer, then the findings by state.

use crate::{Diagnosis, Finding, State};

/// States with their headings, in the order of the text.
const GROUPS: [(State, &str); 4] = [
    (State::Warning, "Fix first"),
    (State::Advice, "To consider"),
    (State::Ok, "As it should be"),
    (State::Unknown, "Unknown"),
];

/// Width of the column with the names of checks.
const NAMES: usize = 24;
/// Indentation of a finding's details: smaller than that of findings, so that commands stay in one
/// line.
const DETAILS: usize = 12;
/// The narrowest width at which text next to the names can be read.
const NARROWEST: usize = 60;

const AFTER: &str = "To see whether a change helped, make the run shown with it (`see`) before and \
                     after the change, each with `--store FILE`, and compare the two: `steadfast \
                     compare BEFORE AFTER`.";

impl Diagnosis {
    /// Returns the diagnosis in lines of at most `width` columns; words are not split.
    pub fn text(&self, width: usize) -> String {
        let width = width.max(NARROWEST);
        let groups: String = GROUPS.iter().map(|group| self.group(*group, width)).collect();
        let asks = self.findings.iter().any(|f| f.state.asks_for_change());
        let after = if asks { format!("\n{}", wrapped(AFTER, 0, width)) } else { String::new() };
        wrapped(&self.answer, 0, width) + &groups + &self.at_boot(width) + &after
    }

    /// Returns the kernel's parameters, never wrapped, so that they can be copied.
    fn at_boot(&self, width: usize) -> String {
        let Some(parameters) = &self.kernel_parameters else {
            return String::new();
        };
        let lead = wrapped(&self.boot_in_words(), 0, width);
        format!("\nOn the kernel's command line\n\n{lead}\n    {parameters}\n")
    }

    /// Returns what the kernel's parameters are for, and where they belong.
    pub fn boot_in_words(&self) -> String {
        let kept = match self.housekeeping_cpus.is_empty() {
            true => String::new(),
            false => format!(" Keep {} for everything else.", self.housekeeping_cpus.in_words()),
        };
        self.boot_place.in_words() + &kept
    }

    /// Returns the findings of a state below its heading; empty if there are none.
    fn group(&self, (state, heading): (State, &str), width: usize) -> String {
        let findings = self.findings.iter().filter(|f| f.state == state);
        let texts: Vec<String> = findings.map(|finding| finding.text(width)).collect();
        if texts.is_empty() {
            return String::new();
        }
        let between = if state.asks_for_change() { "\n" } else { "" };
        format!("\n{heading} ({})\n\n{}", texts.len(), texts.join(between))
    }
}

impl Finding {
    fn text(&self, width: usize) -> String {
        let found = beside(&self.name.replace('_', " "), &self.found, NAMES, width);
        if !self.state.asks_for_change() {
            return found;
        }
        let details = [
            ("    why", &format!("{} [{}]", self.why, self.source)),
            ("    change", &self.change),
            ("    knob", &self.knobs_in_words()),
            ("    here", &self.worth.join("\n")),
            ("    see", &self.see),
        ];
        let details = details.iter().filter(|(_, text)| !text.is_empty());
        details.fold(found, |all, (name, text)| all + &beside(name, text, DETAILS, width))
    }
}

/// Formats a word and, next to it, from a column on, paragraphs.
fn beside(word: &str, paragraphs: &str, column: usize, width: usize) -> String {
    let lines = paragraphs.lines();
    let text: String = lines.map(|line| wrapped(line, column, width)).collect();
    format!("{word:<column$}{}", text.trim_start())
}

/// Wraps a paragraph to lines of at most `width` columns, each after `indent` blanks.
fn wrapped(paragraph: &str, indent: usize, width: usize) -> String {
    let lines = base::wrapped(paragraph, width - indent).into_iter();
    lines.map(|line| format!("{:indent$}{line}\n", "")).collect()
}
