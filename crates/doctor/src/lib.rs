//! Whether a machine is set up for real-time work: one table of checks.
//!
//! Reads, and changes nothing. What cannot be read is not told, and never an error.

mod checks;
mod seen;
mod text;
mod tree;

use plan::Machine;
use serde::Serialize;
use units::CpuSet;

use checks::CHECKS;
pub use seen::Seen;
pub use tree::Tree;

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
    /// How to change it: commands, or parameters of the kernel at boot.
    pub change: String,
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
    /// The CPUs that it is about: those on which one would measure.
    pub cpus: CpuSet,
    /// What each check found; in a state, what matters most comes first.
    pub findings: Vec<Finding>,
}

/// Looks at everything: the machine as its fingerprint tells it, the rest from the
/// files of `tree`, for work on the CPUs `cpus`.
#[must_use]
pub fn examine(machine: &Machine, tree: Tree, cpus: &CpuSet) -> Diagnosis {
    let findings = findings(machine, tree, cpus);
    Diagnosis {
        schema_version: 1,
        answer: answer(&findings),
        cpus: cpus.clone(),
        findings,
    }
}

/// What follows from a machine's fingerprint alone, for work on the CPUs `cpus`; no file
/// is read, so that it holds of a machine that was measured long ago. What only the
/// machine's files tell is left out.
#[must_use]
pub fn of_fingerprint(machine: &Machine, cpus: &CpuSet) -> Vec<Finding> {
    let mut findings = findings(machine, Tree::nowhere(), cpus);
    findings.retain(|finding| finding.state != State::Unknown);
    findings
}

fn findings(machine: &Machine, tree: Tree, cpus: &CpuSet) -> Vec<Finding> {
    let seen = Seen::new(machine, tree, cpus);
    let mut findings: Vec<Finding> = CHECKS.iter().map(|check| check.made(&seen)).collect();
    findings.sort_by_key(|finding| finding.state);
    findings
}

/// How many things the answer names.
const NAMED: usize = 3;

fn answer(findings: &[Finding]) -> String {
    let in_state = |state| findings.iter().filter(move |f| f.state == state);
    let named: Vec<&str> = in_state(State::Warning)
        .take(NAMED)
        .map(|finding| &*finding.found)
        .collect();
    let unknown = match in_state(State::Unknown).count() {
        0 => String::new(),
        count => format!(" Not told: {count} of {}.", findings.len()),
    };
    let advice = in_state(State::Advice).count();
    let what = match (named.as_slice(), advice) {
        ([], 0) => "This machine is set up for real-time work".to_owned(),
        ([], count) => {
            format!(
                "This machine is set up for real-time work; {count} more could make it steadier"
            )
        }
        ([only], _) => {
            format!("This machine is not set up for real-time work: one thing matters most: {only}")
        }
        (several, _) => format!(
            "This machine is not set up for real-time work: {} things matter most: {}",
            several.len(),
            several.join("; ")
        ),
    };
    format!("{what}.{unknown}")
}

#[cfg(test)]
mod tests;
