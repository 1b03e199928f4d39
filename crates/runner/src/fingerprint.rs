//! The fingerprint of this machine, and what may change on it between two runs.

use std::collections::BTreeMap;
use std::path::Path;

use base::{CpuSet, Observed};
use doctor::{Tree, Unfiled};
use record::Machine;

/// Returns the fingerprint of this machine.
pub fn fingerprint() -> Machine {
    doctor::fingerprint(&Tree::at("/"), &Unfiled::here())
}

/// Returns the conditions that this machine sets for a run on these CPUs: those of the doctor's
/// table, and the present values of knobs.
pub(crate) fn conditions(cpus: &CpuSet) -> BTreeMap<String, Observed<String>> {
    let mut conditions = doctor::conditions(&Tree::at("/"), cpus);
    conditions.extend(knob::recorded(Path::new("/")));
    conditions
}
