//! The findings of checks, and the diagnosis.

use std::collections::BTreeMap;

use base::{CpuSet, SchemaVersion};
use serde::Serialize;

use crate::BootPlace;

/// How a finding bears on real-time work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "CheckFinding"))]
pub struct Finding {
    /// Name of the check.
    pub name: &'static str,
    /// Effect on real-time work: `warning` (costs deadlines, or keeps real-time work from
    /// starting), `advice` (could be better), `ok` or `unknown` (not seen: absent or hidden).
    pub state: State,
    /// What was found, in words.
    pub found: String,
    /// Why it matters.
    pub why: &'static str,
    /// Source for `why`, such as a path in the kernel's tree or a man page.
    pub source: &'static str,
    /// All known ways to change it, one per line.
    pub change: String,
    /// Command in `change`; null if there is none.
    pub command: Option<String>,
    /// Parameters in `change` for the kernel's command line; null if there are none.
    pub kernel_parameters: Option<String>,
    /// Knobs that could fix it (see `steadfast knobs`).
    pub knobs: &'static [&'static str],
    /// Effects of these knobs on this machine, as shown by experiments (`steadfast knobs try`), in
    /// words; absent if there was none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worth: Vec<String>,
    /// Command to run before and after the change, to compare the results.
    pub see: String,
}

/// Output of `steadfast doctor --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    pub schema_version: SchemaVersion<1>,
    /// Answer in words; it names up to three warnings.
    pub answer: String,
    /// CPUs for real-time work, to which the findings apply, such as `0-1,3`.
    pub cpus: CpuSet,
    /// CPUs to keep for everything else; empty if the machine has only one CPU.
    pub housekeeping_cpus: CpuSet,
    /// All recommended parameters for the kernel's command line, in one line; null if there are
    /// none.
    pub kernel_parameters: Option<String>,
    /// Where the kernel's command line is set on this machine.
    #[serde(skip)]
    pub boot_place: BootPlace,
    /// Findings of the checks, by state; within a state, the most important first.
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
                base::quoted(run)
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
