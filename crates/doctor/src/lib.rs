//! Checks whether a machine is set up for real-time work, with one table of checks.
//!
//! The checks read and change nothing, except that a thread runs on every CPU for a moment. What
//! cannot be read is unknown, and never an error.

mod boot;
mod checks;
mod conditions;
mod cores;
mod cpuinfo;
mod finding;
mod fingerprint;
mod hypervisor;
mod idle_depth;
mod installation;
mod preemption;
mod seen;
mod text;
mod tree;
mod tried;
mod unfiled;

use base::{CpuSet, SchemaVersion};
use record::Machine;

pub use boot::BootPlace;
use checks::CHECKS;
pub use checks::{Slowing, limiter};
pub use conditions::{CONDITIONS, Condition, conditions, may_hide_a_limit};
pub use finding::{Diagnosis, Evidence, Finding, State};
pub use fingerprint::fingerprint;
pub use preemption::{model_at_boot, requested_model};
pub use seen::Seen;
pub use tree::Tree;
pub use tried::Tried;
pub use unfiled::Unfiled;

/// Returns the name of each check, and why it matters, in the order of their weight.
pub fn checks() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHECKS.iter().map(|check| (check.name, check.why))
}

/// Examines everything, for work on the CPUs `cpus`: the machine by its fingerprint, the rest by
/// the files of `tree`, and what was `tried`.
pub fn examine(machine: &Machine, tree: Tree, cpus: &CpuSet, tried: &Tried) -> Diagnosis {
    diagnosis(&Seen::new(machine, tree, cpus, Some(tried)), &[])
}

/// Returns what follows from a machine's fingerprint and from what its runs showed, for work on the
/// CPUs `cpus`. It reads no file, so it also applies to a machine that was measured long ago. What
/// only the machine's files show is left out.
pub fn of_fingerprint(machine: &Machine, cpus: &CpuSet, evidence: &[Evidence]) -> Diagnosis {
    let mut diagnosis = diagnosis(&Seen::new(machine, Tree::nowhere(), cpus, None), evidence);
    diagnosis.findings.retain(|finding| finding.state != State::Unknown);
    diagnosis
}

fn diagnosis(seen: &Seen, evidence: &[Evidence]) -> Diagnosis {
    let made = |check: &&checks::Check| check.made(seen, evidence);
    let mut findings: Vec<Finding> = CHECKS.iter().filter_map(made).collect();
    findings.sort_by_key(|finding| finding.state);
    Diagnosis {
        schema_version: SchemaVersion,
        answer: answer(&findings, NAMED),
        cpus: seen.cpus.clone(),
        housekeeping_cpus: seen.others.clone(),
        kernel_parameters: in_one_line(&findings),
        boot_place: BootPlace::of(seen.machine),
        findings,
    }
}

/// Joins the parameters of all findings that ask for a change, in their order.
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

/// The most findings that the answer names.
const NAMED: usize = 3;

impl Diagnosis {
    /// Returns an answer that fits: it names as many findings as there is room for, and always the
    /// most important one.
    pub fn answer_that(&self, fits: impl Fn(&str) -> bool) -> String {
        let named = |most| answer(&self.findings, most);
        let mut answers = (2..=NAMED).rev().map(named);
        let fitting = answers.find(|answer| fits(answer));
        fitting.unwrap_or_else(|| named(1))
    }
}

/// Returns the answer, which names at most `most` of the warnings.
fn answer(findings: &[Finding], most: usize) -> String {
    let in_state = |state| findings.iter().filter(move |f| f.state == state);
    let named: Vec<&str> =
        in_state(State::Warning).take(most).map(|finding| &*finding.found).collect();
    let unknown = match in_state(State::Unknown).count() {
        0 => String::new(),
        count => format!(" {count} of {} checks could not be read.", findings.len()),
    };
    let advice = in_state(State::Advice).count();
    let what = match (named.as_slice(), advice) {
        ([], 0) => "This machine is set up for real-time work".to_owned(),
        ([], count) => format!(
            "This machine is set up for real-time work; {count} more changes could make it steadier"
        ),
        ([only], _) => {
            format!("This machine is not set up for real-time work, above all because {only}")
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
