//! Whether a machine is set up for real-time work: one table of checks.
//!
//! Reads, and changes nothing; on every CPU a thread may have its turn for a moment. What cannot be read is not told, and never an error.

mod checks;
mod finding;
mod seen;
mod text;
mod tree;
mod turns;

use plan::Machine;
use units::CpuSet;

use checks::CHECKS;
pub use checks::limiter;
pub use finding::{Diagnosis, Evidence, Finding, State};
pub use seen::Seen;
pub use tree::Tree;
pub use turns::Turns;

/// Looks at everything: the machine as its fingerprint tells it, the rest from the
/// files of `tree`, and what came of `turns`, for work on the CPUs `cpus`.
#[must_use]
pub fn examine(machine: &Machine, tree: Tree, cpus: &CpuSet, turns: &Turns) -> Diagnosis {
    diagnosis(&Seen::new(machine, tree, cpus, Some(turns)), &[])
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
        answer: answer(&findings, NAMED),
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

/// How many things the answer names.
const NAMED: usize = 3;

impl Diagnosis {
    /// The answer as it fits: it names as many findings as there is room for, and the weightiest
    /// in any case.
    #[must_use]
    pub fn answer_that(&self, fits: impl Fn(&str) -> bool) -> String {
        let named = |most| answer(&self.findings, most);
        let mut answers = (2..=NAMED).rev().map(named);
        let fitting = answers.find(|answer| fits(answer));
        fitting.unwrap_or_else(|| named(1))
    }
}

/// The answer, which names at most so many of the warnings.
fn answer(findings: &[Finding], most: usize) -> String {
    let in_state = |state| findings.iter().filter(move |f| f.state == state);
    let named: Vec<&str> =
        in_state(State::Warning).take(most).map(|finding| &*finding.found).collect();
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
            format!("This machine is not set up for real-time work, above all since {only}")
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
