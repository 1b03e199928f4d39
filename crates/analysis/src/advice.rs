//! What to change about a machine: the doctor's checks of its fingerprint, with what its
//! runs showed. The one advice that every part of a report gives.

use doctor::{Diagnosis, Evidence};
use plan::Warning;
use units::CpuSet;

use crate::clock;
use crate::survey::{System, steal_ns};
use crate::words;

/// What bears on how the machine is set up for real-time work on the CPUs that were
/// measured. A machine of the lab is set up by the lab: there only what runs showed counts.
pub fn of(system: &System) -> Diagnosis {
    let runs = system.outcomes.iter();
    let measured = runs.flat_map(|run| run.header.spec.asked.cpus.iter());
    let measured: CpuSet = measured.collect();
    let evidence: Vec<Evidence> = [stolen, limited]
        .into_iter()
        .filter_map(|shown| shown(system))
        .collect();
    let mut advice = doctor::of_fingerprint(system.machine, &measured, &evidence);
    if system.machine.lab.is_some() || measured.is_empty() {
        let is_shown = |name| evidence.iter().any(|shown| shown.check == name);
        advice.findings.retain(|finding| is_shown(finding.name));
        advice.kernel_parameters = None;
    }
    advice
}

fn stolen(system: &System) -> Option<Evidence> {
    if clock::counts_instructions(system.machine) {
        return None;
    }
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

fn limited(system: &System) -> Option<Evidence> {
    let mut warnings = system.valid().flat_map(|run| &run.warnings);
    let (used, granted) = warnings.find_map(|warning| match warning {
        Warning::ThrottlingReached {
            used_percent,
            granted_percent,
            ..
        } => Some((used_percent, granted_percent)),
        _ => None,
    })?;
    let found = format!(
        "a measured thread used {used} % of its CPU where the kernel grants {granted} %, so \
         single gaps may be the kernel's"
    );
    Some(Evidence::of_limited_threads(system.machine, found))
}
