//! A diagnosis for people: the answer, then the findings by state.

use crate::seen::in_words;
use crate::{Diagnosis, Finding, State};

/// States with their headings, in the order of the text.
const GROUPS: [(State, &str); 4] = [
    (State::Warning, "To mend first"),
    (State::Advice, "To consider"),
    (State::Ok, "As it should be"),
    (State::Unknown, "Not told"),
];

/// Columns of the checks' names, which findings stand beside.
const NAMES: usize = 24;
/// What belongs to a finding is indented less, so that commands stay whole: so many
/// blanks and a word.
const DETAILS: usize = 12;
/// Narrower than that, no text can be read beside the names.
const NARROWEST: usize = 60;

const AFTER: &str = "To see whether a change helped, make the run that stands below it before and \
                     after, each with `--store FILE`, and compare the two: `steadfast compare \
                     BEFORE AFTER`.";

impl Diagnosis {
    /// The diagnosis in lines of at most `width` columns, of which no word is cut.
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        let width = width.max(NARROWEST);
        let groups: String = GROUPS.iter().map(|group| self.group(*group, width)).collect();
        let after = match self.findings.iter().any(|f| f.state.asks_for_change()) {
            true => format!("\n{}", wrapped(AFTER, 0, width)),
            false => String::new(),
        };
        wrapped(&self.answer, 0, width) + &groups + &self.at_boot(width) + &after
    }

    /// The kernel's parameters, never wrapped, so that they can be copied.
    fn at_boot(&self, width: usize) -> String {
        let Some(parameters) = &self.kernel_parameters else {
            return String::new();
        };
        let lead = wrapped(&self.boot_in_words(), 0, width);
        format!("\nOn the kernel's command line\n\n{lead}\n    {parameters}\n")
    }

    /// What the kernel's parameters are for, and where they belong.
    #[must_use]
    pub fn boot_in_words(&self) -> String {
        let kept = match self.housekeeping_cpus.is_empty() {
            true => String::new(),
            false => format!(" {} to keep for everything else.", in_words(&self.housekeeping_cpus)),
        };
        let parameters = self.kernel_parameters.as_deref().unwrap_or_default();
        let ignored = match parameters.contains("nohz_full=") {
            true => " A kernel built without CONFIG_NO_HZ_FULL ignores nohz_full.",
            false => "",
        };
        format!(
            "All of it in one line, in place of what has the same names there (Debian: \
             GRUB_CMDLINE_LINUX in /etc/default/grub, then `sudo update-grub`).{kept}{ignored}"
        )
    }

    /// The findings of a state below its heading; nothing where there are none.
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
        let why = format!("{} [{}]", self.why, self.source);
        let knobs = match &*self.knobs_in_words() {
            "" => String::new(),
            knobs => beside("    knob", knobs, DETAILS, width),
        };
        let worth = match self.worth.join("\n") {
            worth if worth.is_empty() => worth,
            worth => beside("    here", &worth, DETAILS, width),
        };
        found
            + &beside("    why", &why, DETAILS, width)
            + &beside("    change", &self.change, DETAILS, width)
            + &knobs
            + &worth
            + &beside("    see", &self.see, DETAILS, width)
    }
}

/// A word, and beside it, from that column on, paragraphs.
fn beside(word: &str, paragraphs: &str, column: usize, width: usize) -> String {
    let lines = paragraphs.lines();
    let text: String = lines.map(|line| wrapped(line, column, width)).collect();
    format!("{word:<column$}{}", text.trim_start())
}

/// A paragraph in lines of at most `width` columns, each after so many blanks.
fn wrapped(paragraph: &str, indent: usize, width: usize) -> String {
    let lines = units::wrapped(paragraph, width - indent).into_iter();
    lines.map(|line| format!("{:indent$}{line}\n", "")).collect()
}
