//! What runs showed of a machine, for the doctor's checks.

use std::collections::BTreeSet;

use doctor::Evidence;
use plan::{Machine, Warning, fact};

use crate::clock;
use crate::survey::{Series, System, loads, steal_ns};
use crate::words;

const SHOWN: &[fn(&System) -> Option<Evidence>] = &[taken_away, inversion, load_sensitive];

/// What the runs of a machine showed, at most one piece a check.
pub(super) fn of(system: &System) -> Vec<Evidence> {
    let shown = SHOWN.iter().filter_map(|shown| shown(system));
    let mut all: Vec<Evidence> = shown.collect();
    let runs = system.outcomes.iter();
    for warning in runs.flat_map(|run| &run.warnings) {
        let check = check_of(warning, system.machine);
        let is_new = |check: &&str| all.iter().all(|shown| shown.check != *check);
        if let Some(check) = check.filter(is_new) {
            all.push(warned(system, check, warning));
        }
    }
    all
}

/// The check that a warning bears on, where it is about how the machine is set up.
pub(super) fn check_of(warning: &Warning, machine: &Machine) -> Option<&'static str> {
    match warning {
        Warning::PolicyRefused { privileged: false, .. } => Some("real_time_priority"),
        Warning::MemoryLockRefused { .. } => Some("memory_lock"),
        Warning::CpuBudget { .. } => Some("cpu_budget"),
        Warning::PageFaults { .. } => Some("page_faults"),
        Warning::ThrottlingReached { .. } => doctor::limiter(machine),
        _ => None,
    }
}

/// The first warning of that kind, and in how many runs that count there is one.
fn warned(system: &System, check: &'static str, first: &Warning) -> Evidence {
    let bears = |warning: &Warning| check_of(warning, system.machine) == Some(check);
    let runs = system.valid();
    let found = match runs.filter(|run| run.warnings.iter().any(bears)).count() {
        0 => first.cause(),
        runs => format!("{} (in {})", first.cause(), words::counted(runs, "run")),
    };
    Evidence { check, found }
}

/// What the platform took away: as the hypervisor says it, else as a spinning loop saw it.
fn taken_away(system: &System) -> Option<Evidence> {
    if clock::counts_instructions(system.machine) {
        return None;
    }
    stolen(system).or_else(|| gaps(system))
}

fn stolen(system: &System) -> Option<Evidence> {
    let steals = || system.valid().map(steal_ns);
    let runs = steals().filter(|steal| *steal > 0).count();
    let total: u64 = steals().sum();
    let name = system.machine.hypervisor.as_ref();
    let name = name.map_or_else(String::new, |name| format!(" ({name})"));
    (total > 0).then(|| Evidence {
        check: "hypervisor",
        found: format!(
            "the hypervisor{name} took measured CPUs away for {} in {runs} of {}: stalls there \
             may be the host's, not this kernel's",
            words::time(total as f64),
            words::counted(system.valid().count(), "run"),
        ),
    })
}

/// Platform gaps of a virtual machine that are of the size of its latest wake-up: shorter ones
/// explain nothing.
fn gaps(system: &System) -> Option<Evidence> {
    system.machine.hypervisor.as_ref()?;
    let scans = system.of("platform_gap").filter(|series| series.headline);
    let gaps = scans.filter_map(|series| series.latency.as_ref());
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
    })
}

fn inversion(system: &System) -> Option<Evidence> {
    let series = system.of("priority_inversion");
    let vulnerable: BTreeSet<String> = series
        .filter(|series| series.any(&fact::VULNERABLE) == Some(true))
        .map(|series| format!("`{}`", series.word(&fact::LOCK)))
        .collect();
    let vulnerable: Vec<String> = vulnerable.into_iter().collect();
    (!vulnerable.is_empty()).then(|| Evidence {
        check: "priority_inversion",
        found: format!(
            "priority inversion with {}: a high-priority thread waits for as long as a medium one \
             runs",
            words::listed(&vulnerable)
        ),
    })
}

/// The largest growth of the worst wake-up from no load to a load, where the
/// rest is equal; of real-time policies, where there are any.
fn load_sensitive(system: &System) -> Option<Evidence> {
    const NOTABLE: f64 = 3.0;
    let headlines = || system.of("wakeup").filter(|series| series.headline);
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
        .map(|(asked, (before, after))| Evidence {
            check: "load_sensitivity",
            found: format!(
                "the worst wake-up seen under `{}` grew from {} without load to {} with {}",
                asked.policy,
                words::time(before),
                words::time(after),
                loads(asked),
            ),
        })
}

fn worst(series: &Series) -> Option<f64> {
    Some(series.latency.as_ref()?.max.value_ns as f64)
}
