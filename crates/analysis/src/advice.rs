//! What to change about a machine: the doctor's checks of its fingerprint, with evidence from its
//! runs. Every part of a report gives this advice.

use doctor::{Diagnosis, Evidence, Finding};
use plan::{Asked, Machine, Outcome, Right, Row, Warning, fact};
use serde::{Serialize, Serializer};
use serde_json::json;
use units::{CpuSet, Policy};

use crate::lists::sorted;
use crate::survey::{Series, System, loads, steal_ns};
use crate::{clock, real_time, words};

const LOAD_SENSITIVITY: &str = "load_sensitivity";

/// Returns the checks that bear on real-time work on the measured CPUs. The lab sets up its own
/// machines, so for them only what runs showed counts.
pub fn of(system: &System) -> Diagnosis {
    let runs = system.outcomes.iter();
    let measured: CpuSet = runs.flat_map(|run| run.header.spec.asked.cpus.iter()).collect();
    let evidence = evidence(system);
    let mut advice = doctor::of_fingerprint(system.machine, &measured, &evidence);
    if clock::counts_instructions(system.machine) || measured.is_empty() {
        let is_shown = |name| evidence.iter().any(|shown| shown.check == name);
        advice.findings.retain(|finding| is_shown(finding.name));
        advice.kernel_parameters = None;
    }
    advice
}

/// The checks for which runs counted enough to explain at least half of a lateness under a policy
/// and its loads.
pub(crate) fn explaining(
    system: &System,
    late_ns: u64,
    policy: Policy,
    late_under: Option<&str>,
) -> Vec<&'static str> {
    // What one load does under one policy explains nothing under others.
    let is_of_load = most_lengthened(system).is_some_and(|(asked, _)| {
        asked.policy == policy && late_under == Some(loads(asked).as_str())
    });
    let mut evidence = evidence(system);
    evidence.retain(|one| one.explains_ns.is_none_or(|ns| ns.saturating_mul(2) >= late_ns));
    evidence.retain(|one| one.check != LOAD_SENSITIVITY || is_of_load);
    evidence.into_iter().map(|one| one.check).collect()
}

pub(crate) fn in_report<S: Serializer>(advice: &Diagnosis, to: S) -> Result<S::Ok, S::Error> {
    json!({
        "findings": advice.findings,
        "housekeeping_cpus": advice.housekeeping_cpus,
        "kernel_parameters": advice.kernel_parameters,
    })
    .serialize(to)
}

/// The check that says what to do about a warning, if the machine (not the run) is what to change.
pub fn about<'d>(
    advice: &'d Diagnosis,
    warning: &Warning,
    machine: &Machine,
) -> Option<&'d Finding> {
    let check = check_of(warning, machine)?;
    advice.findings.iter().find(|finding| finding.name == check)
}

/// Returns at most one piece of evidence for each check.
fn evidence(system: &System) -> Vec<Evidence> {
    let shown = [taken_away(system), inversion(system), load_sensitive(system)];
    let mut all: Vec<Evidence> = shown.into_iter().flatten().collect();
    for warning in system.outcomes.iter().flat_map(|run| &run.warnings) {
        if let Some(check) = check_of(warning, system.machine)
            && all.iter().all(|shown| shown.check != check)
        {
            all.push(warned(system, check, warning));
        }
    }
    all
}

/// Returns the check that a warning bears on, if the warning is about how the machine is set up.
fn check_of(warning: &Warning, machine: &Machine) -> Option<&'static str> {
    match warning {
        Warning::PolicyRefused { privileged: false, .. } => Some("real_time_priority"),
        Warning::NotPermitted { rights } if rights.contains(&Right::RealTimePriority) => {
            Some("real_time_priority")
        }
        Warning::MemoryLockRefused { .. } => Some("memory_lock"),
        Warning::CpuBudget { .. } => Some("cpu_budget"),
        Warning::PageFaults { .. } => Some("page_faults"),
        Warning::ThrottlingReached { .. } => doctor::limiter(machine),
        _ => None,
    }
}

fn warned(system: &System, check: &'static str, first: &Warning) -> Evidence {
    let bears = |warning: &Warning| check_of(warning, system.machine) == Some(check);
    let runs = system.valid();
    let found = match runs.filter(|run| run.warnings.iter().any(bears)).count() {
        0 => first.cause(),
        runs => format!("{} (in {})", first.cause(), words::counted(runs, "run")),
    };
    Evidence { check, found, explains_ns: None }
}

/// The time that the platform took: as the hypervisor counts it, else as a spinning loop saw it.
fn taken_away(system: &System) -> Option<Evidence> {
    if clock::counts_instructions(system.machine) {
        return None;
    }
    stolen(system).or_else(|| gaps(system))
}

/// Returns the time that the hypervisor took in the run with the latest deadline, if it is at least
/// half of the lateness. What it took in other runs explains nothing there.
fn stolen(system: &System) -> Option<Evidence> {
    let periodic = system.valid().filter(|run| real_time::period(&run.header.spec).is_some());
    let latest = |run: &&Outcome| run.rows.iter().filter_map(Row::max_ns).max().unwrap_or(0);
    let run = periodic.max_by_key(|run| latest(run))?;
    let (steal, late) = (steal_ns(run), latest(&run));
    let name = system.machine.hypervisor.as_ref();
    let name = name.map_or_else(String::new, |name| format!(" ({name})"));
    (late > 0 && steal as f64 * 2.0 >= late as f64).then(|| Evidence {
        check: "hypervisor",
        found: format!(
            "the hypervisor{name} took the measured CPUs away for {} in the run that was {} late: the \
             stall may be the host's, not this kernel's",
            words::time(steal as f64),
            words::time(late as f64),
        ),
        explains_ns: Some(steal),
    })
}

/// Returns platform gaps as long as the latest wake-up; shorter ones explain nothing.
fn gaps(system: &System) -> Option<Evidence> {
    system.machine.hypervisor.as_ref()?;
    let gaps = system.headlines("platform_gap").filter_map(|series| series.latency.as_ref());
    let (longest, count) = gaps
        .map(|gaps| (gaps.max.value_ns as f64, gaps.count()))
        .reduce(|(one, some), (other, more)| (one.max(other), some + more))?;
    let latest = system.of("wakeup").filter_map(worst).fold(0.0, f64::max);
    (longest * 2.0 >= latest).then(|| Evidence {
        check: "hypervisor",
        found: format!(
            "a loop that only spins lost its CPU {} times, for up to {}, while nothing of this \
             kernel ran: stalls there may be the host's",
            words::grouped(count),
            words::time(longest),
        ),
        explains_ns: Some(longest as u64),
    })
}

fn inversion(system: &System) -> Option<Evidence> {
    let series = system.of("priority_inversion");
    let vulnerable = series.filter(|series| series.any(&fact::VULNERABLE) == Some(true));
    let locks = sorted(vulnerable.map(|series| format!("`{}`", series.word(&fact::LOCK))));
    (!locks.is_empty()).then(|| Evidence {
        check: "priority_inversion",
        found: format!(
            "priority inversion with {}: a high-priority thread waits for as long as a medium one \
             runs",
            words::listed(&locks)
        ),
        // Explains only what waits for a lock.
        explains_ns: Some(0),
    })
}

fn load_sensitive(system: &System) -> Option<Evidence> {
    let (asked, (before, after)) = most_lengthened(system)?;
    Some(Evidence {
        check: LOAD_SENSITIVITY,
        found: format!(
            "the worst wake-up seen under `{}` grew from {} without load to {} with {}",
            asked.policy,
            words::time(before),
            words::time(after),
            loads(asked),
        ),
        explains_ns: Some(after as u64),
    })
}

/// The largest growth of the worst wake-up by a load; real-time policies only, if there are any.
fn most_lengthened<'a>(system: &System<'a>) -> Option<(&'a Asked, (f64, f64))> {
    const NOTABLE: f64 = 3.0;
    let headlines = || system.headlines("wakeup");
    let growth = |loaded: &Series| {
        let alike = |idle: &&Series| {
            let (one, other) = (&idle.spec.asked, &loaded.spec.asked);
            one.loads.is_empty()
                && (one.policy, &one.cpus) == (other.policy, &other.cpus)
                && idle.spec.parameters == loaded.spec.parameters
        };
        let before = worst(headlines().find(alike)?)?.max(1.0);
        Some((before, worst(loaded)?))
    };
    headlines()
        .filter(|series| !series.spec.asked.loads.is_empty())
        .filter_map(|loaded| Some((&loaded.spec.asked, growth(loaded)?)))
        .filter(|(_, (before, after))| after / before >= NOTABLE)
        .max_by(|(one, (a, b)), (other, (c, d))| {
            let real_time = (one.policy.is_real_time()).cmp(&other.policy.is_real_time());
            real_time.then((b / a).total_cmp(&(d / c)))
        })
}

fn worst(series: &Series) -> Option<f64> {
    Some(series.max_ns()? as f64)
}
