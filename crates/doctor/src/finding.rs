//! What checks find, and what is made of it.

use std::collections::BTreeMap;

use serde::Serialize;
use units::CpuSet;

/// How something bears on real-time work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It costs deadlines, or keeps real-time work from starting.
    Warning,
    /// It could be better.
    Advice,
    /// As it should be.
    Ok,
    /// The machine does not tell.
    Unknown,
}

impl State {
    /// Whether there is something to change.
    #[must_use]
    pub fn asks_for_change(self) -> bool {
        matches!(self, Self::Warning | Self::Advice)
    }
}

/// What a check found, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the check, for programs.
    pub name: &'static str,
    /// How it bears on real-time work.
    pub state: State,
    /// What was found, in words.
    pub found: String,
    /// Why it matters.
    pub why: &'static str,
    /// Where that is written: a path in the kernel's tree, or a man page.
    pub source: &'static str,
    /// How to change it, all that is known, a line each.
    pub change: String,
    /// The command in it, where there is one.
    pub command: Option<String>,
    /// Where it is typed: empty for this machine.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub place: &'static str,
    /// What of it belongs on the kernel's command line.
    pub kernel_parameters: Option<String>,
    /// The knobs that could mend it, by the names of the table of knobs.
    pub knobs: &'static [&'static str],
    /// What experiments showed each of them to be worth on this machine, in words; empty before any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worth: Vec<String>,
    /// The run to make before and after, which shows whether it helped.
    pub see: String,
}

/// What all checks found on a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// Version of the names in JSON and their meaning.
    pub schema_version: u32,
    /// The answer in words.
    pub answer: String,
    /// The CPUs that it is about: those for real-time work.
    pub cpus: CpuSet,
    /// The CPUs to keep for everything else.
    pub housekeeping_cpus: CpuSet,
    /// All that belongs on the kernel's command line, in one line.
    pub kernel_parameters: Option<String>,
    /// What each check found; in a state, what matters most comes first.
    pub findings: Vec<Finding>,
}

/// What runs on a machine showed that bears on a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Name of the check; where there is none of that name, nothing comes of it.
    pub check: &'static str,
    /// What was seen, in words, as in [`Finding::found`].
    pub found: String,
}

impl Diagnosis {
    /// The same, with what experiments showed knobs to be worth on this machine, in words by their
    /// names.
    #[must_use]
    pub fn with_worth(mut self, worth: &BTreeMap<String, String>) -> Self {
        for finding in &mut self.findings {
            let known = finding.knobs.iter().filter_map(|knob| {
                let words = worth.get(*knob)?;
                Some(format!("{knob}: {words}"))
            });
            finding.worth = known.collect();
        }
        self
    }
}

impl Finding {
    /// The name of the check for people.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.name.replace('_', " ")
    }

    /// The knobs that could mend it, and the experiment that says what they are worth on this
    /// machine; empty where there is none.
    #[must_use]
    pub fn knobs_in_words(&self) -> String {
        let run = self.see.trim_start_matches("steadfast run ");
        match self.knobs {
            [] => String::new(),
            knobs => format!(
                "{} (steadfast knobs try {} --of '{run}')",
                knobs.join(", "),
                knobs.join(",")
            ),
        }
    }

    /// What to type or to set, in a line; else what it takes.
    #[must_use]
    pub fn in_short(&self) -> String {
        match (&self.command, &self.kernel_parameters) {
            (None, Some(parameters)) => format!("boot with {parameters}"),
            _ => self.change.lines().next().unwrap_or_default().to_owned(),
        }
    }
}
