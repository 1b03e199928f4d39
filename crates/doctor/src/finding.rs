//! The findings of checks, and the diagnosis.

use std::collections::BTreeMap;

use serde::Serialize;
use units::CpuSet;

use crate::BootPlace;

/// How a finding bears on real-time work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It costs deadlines, or prevents real-time work from starting.
    Warning,
    /// It could be better.
    Advice,
    Ok,
    /// The machine does not report it.
    Unknown,
}

impl State {
    /// Whether something should be changed.
    pub fn asks_for_change(self) -> bool {
        matches!(self, Self::Warning | Self::Advice)
    }
}

/// What a check found, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the check, for programs.
    pub name: &'static str,
    pub state: State,
    pub found: String,
    pub why: &'static str,
    /// The source of that: a path in the kernel's tree, or a man page.
    pub source: &'static str,
    /// All known ways to change it, one per line.
    pub change: String,
    /// The command among these; `None` if there is none.
    pub command: Option<String>,
    /// The parameters for the kernel's command line among these; `None` if there are none.
    pub kernel_parameters: Option<String>,
    /// The knobs that could fix it, by their names in the table of knobs.
    pub knobs: &'static [&'static str],
    /// The effect of each of these knobs on this machine, as experiments showed, in words; empty
    /// before any experiment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worth: Vec<String>,
    /// The run to make before and after, which shows whether a change helped.
    pub see: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// Version of the JSON's names and their meaning.
    pub schema_version: u32,
    pub answer: String,
    /// The CPUs that were examined: those for real-time work.
    pub cpus: CpuSet,
    /// The CPUs to keep for everything else.
    pub housekeeping_cpus: CpuSet,
    /// All parameters for the kernel's command line, in one line; `None` if there are none.
    pub kernel_parameters: Option<String>,
    /// Where the kernel's command line is set on this machine.
    #[serde(skip)]
    pub boot_place: BootPlace,
    /// The findings; within a state, the most important ones first.
    pub findings: Vec<Finding>,
}

/// Something that runs on a machine showed and that concerns a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Name of the check; evidence for an unknown name is ignored.
    pub check: &'static str,
    /// What was seen, in words, like [`Finding::found`].
    pub found: String,
}

impl Diagnosis {
    /// Adds the effects of knobs on this machine, as experiments showed, in words by their names.
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
    /// Returns the name of the check for users.
    pub fn in_words(&self) -> String {
        self.name.replace('_', " ")
    }

    /// Returns the knobs that could fix it, and the command of the experiment that measures their
    /// effect on this machine; empty if there are none.
    pub fn knobs_in_words(&self) -> String {
        let run = self.see.trim_start_matches("steadfast run ");
        match self.knobs {
            [] => String::new(),
            knobs => format!(
                "{} (steadfast knobs try {} --of {})",
                knobs.join(", "),
                knobs.join(","),
                units::quoted(run)
            ),
        }
    }

    /// Whether kernel parameters are the first way to change it.
    pub fn is_changed_at_boot(&self) -> bool {
        let first = self.in_short();
        self.kernel_parameters.as_ref().is_some_and(|parameters| first.contains(parameters))
    }

    /// Returns the first way to change it in one line: what to type, to set or to ask for.
    pub fn in_short(&self) -> String {
        self.change.lines().next().unwrap_or_default().to_owned()
    }
}
