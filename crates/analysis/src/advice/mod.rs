//! What to change about a machine: the doctor's checks of its fingerprint, with what its
//! runs showed. The one advice that every part of a report gives.

mod evidence;
mod glance;

use doctor::{Diagnosis, Finding};
use plan::{Machine, Warning};
use serde::{Serialize, Serializer};
use serde_json::json;
use units::CpuSet;

use crate::clock;
use crate::survey::System;

pub use glance::glance;

/// What bears on how the machine is set up for real-time work on the CPUs that were
/// measured. A machine of the lab is set up by the lab: there only what runs showed counts.
pub fn of(system: &System) -> Diagnosis {
    let runs = system.outcomes.iter();
    let measured = runs.flat_map(|run| run.header.spec.asked.cpus.iter());
    let measured: CpuSet = measured.collect();
    let evidence = evidence::of(system);
    let mut advice = doctor::of_fingerprint(system.machine, &measured, &evidence);
    if clock::counts_instructions(system.machine) || measured.is_empty() {
        let is_shown = |name| evidence.iter().any(|shown| shown.check == name);
        advice.findings.retain(|finding| is_shown(finding.name));
        advice.kernel_parameters = None;
    }
    advice
}

/// The names of the checks of which something was counted in the runs of a machine.
pub(crate) fn counted(system: &System) -> Vec<&'static str> {
    let shown = evidence::of(system).into_iter();
    shown.map(|shown| shown.check).collect()
}

/// What a report tells of the advice.
///
/// # Errors
/// Those of the serializer.
pub fn in_report<S: Serializer>(advice: &Diagnosis, serializer: S) -> Result<S::Ok, S::Error> {
    let told = json!({
        "findings": advice.findings,
        "housekeeping_cpus": advice.housekeeping_cpus,
        "kernel_parameters": advice.kernel_parameters,
    });
    told.serialize(serializer)
}

/// The finding that says what to do about a warning of this machine's runs, where the
/// machine is what to change, and not the run.
pub fn about<'d>(
    advice: &'d Diagnosis,
    warning: &Warning,
    machine: &Machine,
) -> Option<&'d Finding> {
    let check = evidence::check_of(warning, machine)?;
    advice.findings.iter().find(|finding| finding.name == check)
}
