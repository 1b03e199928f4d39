//! The frequency of CPUs, and the cores that they share.

use super::{Change, Check, Level, Sight, WAKEUP, not_told, unseen};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};
use base::{CpuSet, Observed};

pub(super) const CHECKS: &[Check] = &[GOVERNOR, SMT];

const GOVERNOR: Check = Check {
    name: "governor",
    level: Level::Platform(3),
    knobs: &["governor", "min_frequency"],
    look: governor,
    why: "A governor that follows the load slows CPUs down between periods; the next period then \
          starts slowly, and takes longer.",
    source: "Documentation/admin-guide/pm/cpufreq.rst",
    change: |_| {
        Change::command(
            "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        )
    },
    see: "steadfast run frame --cpus {cpus} --fill 50% --seconds 60",
};

fn governor(seen: &Seen) -> Sight {
    let mut governors = match (governors_of(seen), &seen.machine.hypervisor) {
        (Observed::Seen(governors), _) => governors,
        (Observed::Absent, Some(_)) => return not_told("the host sets the frequency"),
        (Observed::Absent, None) => return not_told("this kernel does not scale the frequency"),
        (hidden, _) => return unseen(hidden),
    };
    governors.sort();
    governors.dedup();
    match governors.iter().any(|governor| governor != "performance") {
        true => (Warning, format!("the frequency governor is {}", governors.join(", "))),
        false => (Ok, "the frequency governor is performance".to_owned()),
    }
}

/// The governors of these CPUs; of all, for a machine whose files cannot be read.
fn governors_of(seen: &Seen) -> Observed<Vec<String>> {
    let governor =
        |cpu| seen.tree.text(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"));
    match seen.machine.governors.as_slice() {
        _ if seen.tree.is_reachable() => seen.cpus.iter().map(governor).collect(),
        [] => Observed::Absent,
        governors => Observed::Seen(governors.to_vec()),
    }
}

const SMT: Check = Check {
    name: "smt",
    level: Level::Rest(1),
    knobs: &["smt", "empty_sibling"],
    look: smt,
    why: "Hardware threads of a core share its units and caches: work on the sibling makes a \
          real-time thread slower, and no priority prevents it.",
    source: "Documentation/ABI/testing/sysfs-devices-system-cpu",
    change: free_the_core,
    see: WAKEUP,
};

/// The cores that hardware threads share with these CPUs.
fn shared_cores<'s>(seen: &'s Seen) -> impl Iterator<Item = &'s CpuSet> {
    let has_one = |core: &&CpuSet| seen.cpus.iter().any(|cpu| core.contains(cpu));
    seen.machine.smt_siblings.iter().filter(|core| core.len() > 1).filter(has_one)
}

/// Takes the other threads of the cores offline, which the kernel refuses for its first CPU.
fn free_the_core(seen: &Seen) -> Change {
    let others =
        shared_cores(seen).flat_map(|core| core.without(&seen.cpus).iter().collect::<Vec<_>>());
    let others: CpuSet = others.collect();
    let first = seen.machine.cpus.iter().next();
    if others.is_empty() || first.is_some_and(|first| others.contains(first)) {
        return Change::words(
            "one CPU of each core, and not on the core of the first CPU (--cpus)",
        );
    }
    let file = |cpu| format!("/sys/devices/system/cpu/cpu{cpu}/online");
    let files = others.iter().map(file).collect::<Vec<String>>().join(" ");
    Change::command(format!("echo 0 | sudo tee {files}"))
        .or("or boot with nosmt, which leaves the first thread of each core")
}

fn smt(seen: &Seen) -> Sight {
    let groups = &seen.machine.smt_siblings;
    let shared = shared_cores(seen).next();
    let path = |cpu| format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    let is_hidden = |cpu| seen.tree.is_reachable() && !seen.tree.exists(&path(cpu));
    match (groups.is_empty() || seen.cpus.iter().any(is_hidden), shared) {
        (true, _) => not_told("which CPUs share a core"),
        (_, Some(group)) => (Advice, format!("CPUs {group} share a core")),
        (_, None) => (Ok, format!("no core is shared with {}", seen.cpus.in_words())),
    }
}
