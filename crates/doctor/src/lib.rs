//! Whether a machine is set up for real-time work: one table of checks.
//!
//! Reads, and changes nothing; on every CPU a thread may have its turn for a moment. What cannot be read is not told, and never an error.

mod checks;
mod seen;
mod text;
mod tree;

use plan::Machine;
use rt::turn::{LONGEST, NoTurn, try_turn};
use rt::{sched, topology};
use serde::Serialize;
use units::{CpuSet, Policy};

use checks::CHECKS;
pub use checks::limiter;
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
    /// How to change it, all that is known, a line each.
    pub change: String,
    /// The command in it, where there is one.
    pub command: Option<String>,
    /// What of it belongs on the kernel's command line.
    pub kernel_parameters: Option<String>,
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

/// What came of letting a thread have its turn on every CPU for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// The policy that the threads had.
    pub policy: Policy,
    /// Where one waited in vain: which CPU, and who has it.
    pub in_vain: Vec<String>,
}

impl Turns {
    /// Tries it on this machine, on all CPUs that this thread may use, under a policy or,
    /// without the right to it, the default one. Takes two seconds for every CPU that cannot
    /// be had.
    #[must_use]
    pub fn tried(policy: Policy) -> Self {
        let policy = match sched::may_be_real_time() {
            true => policy,
            false => Policy::OTHER,
        };
        let in_vain = |cpu| match try_turn(&CpuSet::one(cpu), policy, LONGEST) {
            Err(why @ NoTurn::Starved { .. }) => Some(why.to_string()),
            // The right to the policy is another check's.
            _ => None,
        };
        Self {
            policy,
            in_vain: topology::usable().iter().filter_map(in_vain).collect(),
        }
    }
}

/// Looks at everything: the machine as its fingerprint tells it, the rest from the
/// files of `tree`, and what came of `turns`, for work on the CPUs `cpus`.
#[must_use]
pub fn examine(machine: &Machine, tree: Tree, cpus: &CpuSet, turns: &Turns) -> Diagnosis {
    diagnosis(&Seen::new(machine, tree, cpus, Some(turns)), &[])
}

/// What runs on a machine showed that bears on a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Name of the check; where there is none of that name, nothing comes of it.
    pub check: &'static str,
    /// What was seen, in words, as in [`Finding::found`].
    pub found: String,
}

/// What follows from a machine's fingerprint and from what its runs showed, for work on the
/// CPUs `cpus`; no file is read, so that it holds of a machine that was measured long ago.
/// What only the machine's files tell is left out.
#[must_use]
pub fn of_fingerprint(machine: &Machine, cpus: &CpuSet, evidence: &[Evidence]) -> Diagnosis {
    let mut diagnosis = diagnosis(&Seen::new(machine, Tree::nowhere(), cpus, None), evidence);
    let findings = &mut diagnosis.findings;
    findings.retain(|finding| finding.state != State::Unknown);
    diagnosis
}

fn diagnosis(seen: &Seen, evidence: &[Evidence]) -> Diagnosis {
    let made = |check: &&checks::Check| check.made(seen, evidence);
    let mut findings: Vec<Finding> = CHECKS.iter().filter_map(made).collect();
    findings.sort_by_key(|finding| finding.state);
    Diagnosis {
        schema_version: 1,
        answer: answer(&findings),
        cpus: seen.cpus.clone(),
        housekeeping_cpus: seen.others.clone(),
        kernel_parameters: in_one_line(&findings),
        findings,
    }
}

/// The parameters of all that asks for a change, in the order of the findings.
fn in_one_line(findings: &[Finding]) -> Option<String> {
    let asking = findings.iter().filter(|f| f.state.asks_for_change());
    let parameters = asking.filter_map(|finding| finding.kernel_parameters.as_deref());
    let mut all: Vec<&str> = Vec::new();
    for parameter in parameters.flat_map(str::split_whitespace) {
        if !all.contains(&parameter) {
            all.push(parameter);
        }
    }
    (!all.is_empty()).then(|| all.join(" "))
}

impl Finding {
    /// What to type or to set, in a line; else what it takes.
    #[must_use]
    pub fn in_short(&self) -> String {
        match (&self.command, &self.kernel_parameters) {
            (None, Some(parameters)) => format!("boot with {parameters}"),
            _ => self.change.lines().next().unwrap_or_default().to_owned(),
        }
    }
}

impl State {
    /// Whether there is something to change.
    #[must_use]
    pub fn asks_for_change(self) -> bool {
        matches!(self, Self::Warning | Self::Advice)
    }
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
