//! Whether the conditions that a stored run states fit each other.

use base::Policy;
use record::{Outcome, RunSpec, Warning};

use crate::findings;

/// Returns what contradicts in the conditions of a valid run: those requested, those found, and the
/// warnings that follow from them. What nothing else in the run says cannot be checked: the
/// machine's properties, dates, the version, and the self-test.
#[must_use]
pub fn contradiction(run: &Outcome) -> Option<String> {
    if !run.is_valid() {
        return None;
    }
    let checks = [policy, cpus, loads, warnings];
    checks.iter().find_map(|check| check(run))
}

fn policy(run: &Outcome) -> Option<String> {
    let Outcome { found, rows, .. } = run;
    let has_figures = rows.iter().any(|row| row.latency.is_some());
    if found.threads.is_empty() {
        return has_figures.then(|| "it has figures and no measuring thread".to_owned());
    }
    let requested = policies(&run.header.spec);
    let is_kept = |policy: &Policy| found.threads.iter().any(|it| it.asked_policy == *policy);
    let missing = requested.into_iter().find(|policy| !is_kept(policy))?;
    Some(format!("policy {missing} was requested, and no thread had it"))
}

fn policies(spec: &RunSpec) -> Vec<Policy> {
    match spec.members.as_slice() {
        [] => vec![spec.asked.policy],
        members => members.iter().flat_map(|member| policies(&member.run)).collect(),
    }
}

fn cpus(run: &Outcome) -> Option<String> {
    let thread = run.found.threads.first()?;
    let is_missing = run.header.spec.asked.cpus.is_empty();
    is_missing.then(|| format!("no CPU was requested, and a thread had CPUs {}", thread.cpus))
}

fn loads(run: &Outcome) -> Option<String> {
    let requested = run.header.spec.asked.loads.iter().map(ToString::to_string);
    let has_run = |name: &String| run.found.loads.iter().any(|load| load.name == *name);
    let missing = requested.into_iter().find(|name| !has_run(name))?;
    Some(format!("load {missing} was requested, and did not run"))
}

/// Each warning that follows from what was found is there.
fn warnings(run: &Outcome) -> Option<String> {
    let found = &run.found;
    let of_threads = found.threads.iter().flat_map(findings::of_thread);
    let differs = |it: &Warning| {
        matches!(it, Warning::PolicyDiffers { .. } | Warning::AffinityDiffers { .. })
    };
    let all = of_threads.filter(differs).chain(found.lost(&run.header.spec.asked));
    let missing = all.into_iter().find(|warning| !run.warnings.contains(warning))?;
    Some(format!("it lacks the warning that {}", missing.cause()))
}
