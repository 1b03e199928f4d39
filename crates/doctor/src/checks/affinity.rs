//! The CPUs that this process may use.

use base::CpuSet;

use super::{Change, Check, Level, not_told};
use crate::Seen;
use crate::State::{Advice, Ok};

pub(super) const CHECKS: &[Check] = &[CPUS_ALLOWED];

const CPUS_ALLOWED: Check = Check {
    name: "cpus_allowed",
    level: Level::Rest(6),
    knobs: &[],
    look: |seen| {
        let is_isolated = seen.left_out_of(&seen.machine.isolated_cpus).is_empty();
        match (allowed(seen), narrowed(seen)) {
            (None, _) => not_told(""),
            (_, None) => (Ok, "this process may use every CPU".to_owned()),
            _ if is_isolated => {
                (Ok, format!("this process may use {}, isolated", seen.cpus.in_words()))
            }
            (_, Some(cpus)) => {
                let (own, all) = (cpus.in_words(), seen.machine.cpus.in_words());
                (Advice, format!("this process may use only {own}; online are {all}"))
            }
        }
    },
    why: "A cpuset, a container or taskset restricts this process and its children; other CPUs \
          can be neither measured nor used for other work.",
    source: "man 7 cpuset",
    change: every_cpu,
    see: "steadfast run wakeup --cpus all --seconds 60",
};

/// Returns the CPUs that this process may use; `None` if that, or which CPUs there are, is unknown.
fn allowed(seen: &Seen) -> Option<CpuSet> {
    let allowed = seen.tree.line("/proc/self/status", "Cpus_allowed_list").seen()?;
    seen.tree.exists("/sys/devices/system/cpu/online").then(|| allowed.parse().ok())?
}

/// Returns the CPUs that this process may use, if these are not all.
pub(super) fn narrowed(seen: &Seen) -> Option<CpuSet> {
    allowed(seen).filter(|allowed| !seen.machine.cpus.without(allowed).is_empty())
}

/// Lets a process use every CPU: by itself if only its affinity is narrow, else in another cpuset.
pub(super) fn every_cpu(seen: &Seen) -> Change {
    let reachable = seen.tried.map(|tried| &tried.reachable);
    match reachable.is_some_and(|cpus| seen.machine.cpus.without(cpus).is_empty()) {
        true => Change::by_program(
            seen,
            "taskset --cpu-list {all} steadfast ...",
            "start it with an affinity for all CPUs",
        ),
        false => Change::ask(
            "start it in a cpuset that has all CPUs, such as a container without --cpuset-cpus",
        ),
    }
}
