//! Whether the CPUs are the fast ones of a machine with several kinds of cores.

use base::CpuSet;
use record::CoreKind;

use super::{Change, Check, Level, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok};
use crate::cores::by_speed;

pub(super) const CHECKS: &[Check] = &[CORE_KIND];

const CORE_KIND: Check = Check {
    name: "core_kind",
    level: Level::Platform(6),
    knobs: &[],
    look: core_kind,
    why: "Cores of different kinds differ in speed, caches and wake-up latency: a step takes longer on \
          a slower one, and a result of one kind says nothing about the other.",
    source: "Documentation/scheduler/sched-capacity.rst; \
             Documentation/ABI/testing/sysfs-devices-system-cpu (cpu_capacity)",
    change: faster_core,
    see: "steadfast run frame --cpus {cpus} --fill 50% --seconds 60",
};

fn core_kind(seen: &Seen) -> Sight {
    let kinds = &seen.machine.unlike_cores;
    let cpus = seen.cpus.in_words();
    let (fast, slower) = match by_speed(kinds) {
        // Equal cores are the rule.
        _ if kinds.is_empty() => return (Ok, String::new()),
        None => return not_told("the kernel does not report which kinds of cores are faster"),
        Some(divided) => divided,
    };
    let is_used = |kind: &&&CoreKind| kind.cpus.iter().any(|cpu| seen.cpus.contains(cpu));
    let used: Vec<&CoreKind> = slower.iter().filter(is_used).copied().collect();
    match used.is_empty() {
        true => (Ok, format!("no kind of core is faster than that of {cpus}")),
        false => {
            (Advice, format!("slower kind of core: {}, than {}", listed(&used), listed(&fast)))
        }
    }
}

/// Lists kinds of cores with their CPUs, and their capacities if the kernel reports them.
fn listed(kinds: &[&CoreKind]) -> String {
    let listed = kinds.iter().map(|kind| match (kind.name.as_str(), kind.capacity) {
        ("", _) | (_, None) => kind.to_string(),
        (_, Some(capacity)) => format!("{kind} of capacity {capacity}"),
    });
    listed.collect::<Vec<String>>().join(", ")
}

/// Names a fast CPU: an isolated one, else the last one that is not the first of the machine.
fn faster_core(seen: &Seen) -> Change {
    let (fast, _) = by_speed(&seen.machine.unlike_cores).unwrap_or_default();
    let fast: CpuSet = fast.iter().flat_map(|kind| kind.cpus.iter()).collect();
    let isolated: CpuSet = seen.machine.isolated_cpus.parse().unwrap_or_default();
    let first: CpuSet = seen.machine.cpus.iter().take(1).collect();
    let choices = [fast.without(&fast.without(&isolated)), fast.without(&first), fast];
    let best = choices.iter().find_map(|cpus| cpus.iter().last());
    let best = best.map_or_else(String::new, |cpu| format!(" (--cpus {cpu})"));
    Change::words(format!("measure and isolate a CPU of a faster kind instead{best}"))
}
