//! What to change about a machine: the doctor's checks of its fingerprint, with evidence from its
//! runs. Every part of a report gives this advice.

mod evidence;

use doctor::{Diagnosis, Evidence, Finding};
use plan::{Machine, Warning};
use serde::{Serialize, Serializer};
use serde_json::json;
use units::CpuSet;

use crate::clock;
use crate::survey::System;

/// Returns the checks that bear on real-time work on the measured CPUs. The lab sets up its own
/// machines, so for them only what runs showed counts.
pub fn of(system: &System) -> Diagnosis {
    let runs = system.outcomes.iter();
    let measured: CpuSet = runs.flat_map(|run| run.header.spec.asked.cpus.iter()).collect();
    let evidence = evidence::of(system);
    let mut advice = doctor::of_fingerprint(system.machine, &measured, &evidence);
    if clock::counts_instructions(system.machine) || measured.is_empty() {
        let is_shown = |name| evidence.iter().any(|shown| shown.check == name);
        advice.findings.retain(|finding| is_shown(finding.name));
        advice.kernel_parameters = None;
    }
    advice
}

/// The checks for which runs counted enough to explain at least half of a lateness.
pub(crate) fn explaining(system: &System, late_ns: u64) -> Vec<&'static str> {
    let evidence = evidence::of(system).into_iter();
    let explains =
        |one: &Evidence| one.explains_ns.is_none_or(|ns| ns.saturating_mul(2) >= late_ns);
    evidence.filter(explains).map(|one| one.check).collect()
}

pub(crate) fn in_report<S: Serializer>(
    advice: &Diagnosis,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let told = json!({
        "findings": advice.findings,
        "housekeeping_cpus": advice.housekeeping_cpus,
        "kernel_parameters": advice.kernel_parameters,
    });
    told.serialize(serializer)
}

/// The check that says what to do about a warning, if the machine (not the run) is what to change.
pub fn about<'d>(
    advice: &'d Diagnosis,
    warning: &Warning,
    machine: &Machine,
) -> Option<&'d Finding> {
    let check = evidence::check_of(warning, machine)?;
    advice.findings.iter().find(|finding| finding.name == check)
}
