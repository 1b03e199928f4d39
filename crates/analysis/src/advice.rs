//! What to change about a machine: the doctor's checks of its fingerprint, with evidence from its
//! runs. Every part of a report gives this advice.

use base::{CpuSet, Policy};
use doctor::{Diagnosis, Evidence, Finding};
use record::{Asked, Machine, Outcome, Right, Row, Warning, fact};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::lists::sorted;
use crate::survey::{Series, System, loads, measured_cpus};
use crate::{clock, real_time, spacing, words};

pub(crate) const LOAD_SENSITIVITY: &str = "load_sensitivity";
/// The check of what the hypervisor takes.
pub(crate) const HYPERVISOR: &str = "hypervisor";

/// Returns the checks that bear on real-time work on the measured CPUs. The lab sets up its own
/// machines, so for them only what runs showed counts.
pub fn machine_advice(system: &System) -> Diagnosis {
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

/// What a report has of a diagnosis.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Advice<'d> {
    /// Findings about the machine's set-up for real-time work, from its fingerprint and its runs;
    /// for a machine of the lab, from its runs only.
    findings: &'d [Finding],
    /// Housekeeping CPUs: those to keep for everything but real-time work.
    housekeeping_cpus: &'d CpuSet,
    /// Parameters to set on the kernel's command line, in one line; null if there are none.
    kernel_parameters: Option<&'d str>,
}

pub(crate) fn in_report<S: Serializer>(advice: &Diagnosis, to: S) -> Result<S::Ok, S::Error> {
    let advice = Advice {
        findings: &advice.findings,
        housekeeping_cpus: &advice.housekeeping_cpus,
        kernel_parameters: advice.kernel_parameters.as_deref(),
    };
    advice.serialize(to)
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
    for warning in system.outcomes.iter().flat_map(|run| telling(run)) {
        if let Some(check) = check_of(warning, system.machine)
            && all.iter().all(|shown| shown.check != check)
        {
            all.push(warned(system, check, warning));
        }
    }
    all
}

/// Returns the warnings of a run that are evidence of what limits the machine: what may delay a run
/// limits nothing if the run missed nothing.
fn telling(run: &Outcome) -> impl Iterator<Item = &Warning> {
    let missed_none = real_time::of_run(run).is_some_and(|tries| tries.missed == 0);
    let delays = |warning: &Warning| {
        matches!(
            warning,
            Warning::PageFaults { .. }
                | Warning::Slowed { .. }
                | Warning::ThrottlingReached { gaps: 0, .. }
        )
    };
    run.warnings.iter().filter(move |warning| !(missed_none && delays(warning)))
}

/// Returns the check that a warning bears on, if the warning is about how the machine is set up.
fn check_of(warning: &Warning, machine: &Machine) -> Option<&'static str> {
    match warning {
        Warning::PolicyRefused { privileged: false, .. } => Some("real_time_priority"),
        Warning::NotPermitted { rights, .. } if rights.contains(&Right::RealTimePriority) => {
            Some("real_time_priority")
        }
        Warning::MemoryLockRefused { .. } => Some("memory_lock"),
        Warning::CpuBudget { .. } => Some("cpu_budget"),
        Warning::PageFaults { .. } => Some("page_faults"),
        Warning::Slowed { .. } => Some("thermal_throttling"),
        Warning::ThrottlingReached { group: Some(_), .. } => Some("real_time_budget"),
        Warning::ThrottlingReached { .. } => doctor::limiter(machine),
        _ => None,
    }
}

fn warned(system: &System, check: &'static str, first: &Warning) -> Evidence {
    let bears = |warning: &Warning| check_of(warning, system.machine) == Some(check);
    let runs = system.valid();
    let found = match runs.filter(|run| telling(run).any(bears)).count() {
        0 => first.cause(),
        runs => format!("{} (in {})", first.cause(), words::counted(runs, "run")),
    };
    Evidence { check, found }
}

/// The time that the platform took: as the hypervisor counts it, else as a spinning loop saw it.
fn taken_away(system: &System) -> Option<Evidence> {
    if clock::counts_instructions(system.machine) {
        return None;
    }
    stolen(system).or_else(|| gaps(system))
}

/// Returns what the hypervisor took in the run with the latest deadline. What it took in other runs
/// explains nothing there.
fn stolen(system: &System) -> Option<Evidence> {
    let periodic = system.valid().filter(|run| spacing::period(&run.header.spec).is_some());
    let rows = periodic.flat_map(|run| run.rows.iter().map(move |row| (run, row)));
    let (run, row) = rows.max_by_key(|(_, row)| row.max_ns())?;
    Some(Evidence { check: HYPERVISOR, found: stolen_from(run, row, row.max_ns()?)? })
}

/// Steal time is counted in steps of this length, in nanoseconds.
const STEAL_STEP_NS: i64 = 10_000_000;

/// Returns the time that the hypervisor took from the CPUs of a row in a run that was so late, if it
/// is at least half of the lateness; `None` for a lateness shorter than one step of that counter, and
/// in the lab, whose clock does not stop.
pub(crate) fn stolen_from(run: &Outcome, row: &Row, late_ns: i64) -> Option<String> {
    let machine = &run.header.machine;
    let cpus = measured_cpus(run, row);
    let measured_cpus = run.found.cpus.iter().filter(|found| cpus.contains(found.cpu));
    let stolen_ns: u64 = measured_cpus.filter_map(|found| found.steal_ns).sum();
    let is_half = late_ns >= STEAL_STEP_NS && stolen_ns as f64 * 2.0 >= late_ns as f64;
    let name = machine.hypervisor.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
    (is_half && !clock::counts_instructions(machine)).then(|| {
        format!(
            "the hypervisor{name} took {} away for {} in the run that was {} late: the stall may be the \
             host's, not this kernel's",
            cpus.in_words(),
            words::time(stolen_ns as f64),
            words::time(late_ns as f64),
        )
    })
}

/// Returns platform gaps as long as the latest wake-up; shorter ones explain nothing.
fn gaps(system: &System) -> Option<Evidence> {
    system.machine.hypervisor.as_ref()?;
    let gaps = system.headlines("platform_gap").filter_map(|series| series.latency.as_ref());
    let (longest, count) = gaps
        .map(|gaps| (gaps.max.value_ns as f64, gaps.count()))
        .reduce(|(a, some), (b, more)| (a.max(b), some + more))?;
    let latest = system.of("wakeup").filter_map(worst).fold(0.0, f64::max);
    (longest * 2.0 >= latest).then(|| Evidence {
        check: HYPERVISOR,
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
    let vulnerable = series.filter(|series| series.any(&fact::VULNERABLE) == Some(true));
    let locks = sorted(vulnerable.map(|series| format!("`{}`", series.word(&fact::LOCK))));
    (!locks.is_empty()).then(|| Evidence {
        check: "priority_inversion",
        found: format!(
            "priority inversion with {}: a high-priority thread waits for as long as a medium one \
             runs",
            words::listed(&locks)
        ),
    })
}

fn load_sensitive(system: &System) -> Option<Evidence> {
    let lengthened = most_lengthened(system)?;
    Some(Evidence { check: LOAD_SENSITIVITY, found: lengthened.in_words() })
}

/// Wake-ups that are repeatedly later under a load than any without load, on the same CPUs and under
/// the same policy.
pub(crate) struct Lengthened<'a> {
    asked: &'a Asked,
    /// The latest wake-up without and with the load, in nanoseconds.
    quiet_ns: f64,
    worst_ns: f64,
    /// Number of separate late events, and how late at least [`EVENTS`] of them were.
    events: usize,
    pub(crate) repeatedly_ns: f64,
}

/// How many times as late as the latest quiet wake-up an event under a load must be.
const NOTABLE: f64 = 3.0;
/// How many separate events show that a load causes them: if load and quiet runs were late equally
/// often, all of these would be under the load in 1 of 32 cases.
const EVENTS: usize = 5;

impl<'a> Lengthened<'a> {
    /// Compares the runs of a load with equal runs without load, which took as long.
    fn of(loaded: &Series<'a>, quiet: &Series) -> Option<Self> {
        let (quiet_ns, worst_ns) = (worst(quiet)?.max(1.0), worst(loaded)?);
        let events = late_events(loaded, quiet_ns * NOTABLE);
        let repeatedly_ns = *events.get(EVENTS - 1)?;
        let asked = &loaded.spec.asked;
        (quiet.due() >= loaded.due()).then_some(Self {
            asked,
            quiet_ns,
            worst_ns,
            events: events.len(),
            repeatedly_ns,
        })
    }

    /// Whether it is about this policy and these loads.
    pub(crate) fn is_of(&self, policy: Policy, under: Option<&str>) -> bool {
        self.asked.policy == policy && under == Some(loads(self.asked).as_str())
    }

    pub(crate) fn in_words(&self) -> String {
        format!(
            "with {}, wake-ups under `{}` came more than {} late {} times (at most {}), and without \
             load never more than {}",
            loads(self.asked),
            self.asked.policy,
            words::time(self.quiet_ns * NOTABLE),
            words::grouped(self.events as u64),
            words::time(self.worst_ns),
            words::time(self.quiet_ns),
        )
    }
}

/// The load that lengthens wake-ups most; of real-time policies only, if there are any.
pub(crate) fn most_lengthened<'a>(system: &System<'a>) -> Option<Lengthened<'a>> {
    let headlines = || system.headlines("wakeup");
    let lengthened = |loaded: &Series<'a>| {
        let alike = |idle: &&Series| {
            let (one, other) = (&idle.spec.asked, &loaded.spec.asked);
            one.loads.is_empty()
                && (one.policy, &one.cpus) == (other.policy, &other.cpus)
                && idle.spec.parameters == loaded.spec.parameters
        };
        Lengthened::of(loaded, headlines().find(alike)?)
    };
    let loaded = headlines().filter(|series| !series.spec.asked.loads.is_empty());
    loaded.filter_map(lengthened).max_by(|a, b| {
        let is_real_time = |it: &Lengthened| it.asked.policy.is_real_time();
        let growth = |it: &Lengthened| it.repeatedly_ns / it.quiet_ns;
        is_real_time(a).cmp(&is_real_time(b)).then(growth(a).total_cmp(&growth(b)))
    })
}

/// Returns how late each separate event above a limit was, the latest first. Consecutive intervals of
/// a run are one event; a run without intervals has at most one.
fn late_events(series: &Series, above_ns: f64) -> Vec<f64> {
    let of_row = |row: &&Row| -> Vec<f64> {
        let bins = row.fact(&fact::STRIP).and_then(Value::as_array);
        let bins = bins.map(|bins| bins.iter().filter_map(|bin| bin["max_ns"].as_f64()).collect());
        let latest = || row.max_ns().map(|ns| ns as f64).into_iter().collect();
        let bins: Vec<f64> = bins.unwrap_or_else(latest);
        let is_late = |ns: &f64| *ns > above_ns;
        let alike = bins.chunk_by(|a, b| is_late(a) == is_late(b));
        let late = alike.filter(|stretch| is_late(&stretch[0]));
        late.map(|stretch| stretch.iter().copied().fold(0.0, f64::max)).collect()
    };
    let mut events: Vec<f64> = series.rows.iter().flat_map(of_row).collect();
    events.sort_by(|a, b| b.total_cmp(a));
    events
}

fn worst(series: &Series) -> Option<f64> {
    Some(series.max_ns()? as f64)
}
