//! What the machine and the control groups of a process decide about its results and may change
//! between two runs, in one table. Each run records it.

use std::collections::BTreeMap;

use base::{CpuSet, Observed};
use rt::control_group::ControlGroups;
use rt::namespace::Namespace;

use crate::{Tree, idle_depth};

/// A condition that the machine sets.
pub struct Condition {
    /// Its name in results.
    pub name: &'static str,
    /// What it is, for the manual.
    pub what: &'static str,
    read: fn(&Place) -> Observed<String>,
}

/// The machine, and the CPUs on which a run measures.
struct Place<'a> {
    tree: &'a Tree,
    cpus: &'a CpuSet,
}

/// Returns what each condition of the table is on the machine with these files, for a run of this
/// process on these CPUs.
#[must_use]
pub fn conditions(tree: &Tree, cpus: &CpuSet) -> BTreeMap<String, Observed<String>> {
    let place = Place { tree, cpus };
    let read = |one: &Condition| (one.name.to_owned(), (one.read)(&place));
    CONDITIONS.iter().map(read).collect()
}

/// The end of a condition of control groups, some of which cannot be seen.
const IN_HIDDEN_GROUPS: &str = " in groups that cannot be seen";

/// Whether a control group that cannot be seen may limit the CPU time of a run's tasks: by a quota, or of
/// real-time tasks by a budget.
#[must_use]
pub fn may_hide_a_limit(
    conditions: &BTreeMap<String, Observed<String>>,
    is_real_time: bool,
) -> bool {
    match conditions.get(if is_real_time { "rt_runtime_us" } else { "cpu_max" }) {
        Some(Observed::Hidden(_)) => true,
        Some(Observed::Seen(quotas)) => quotas.ends_with(IN_HIDDEN_GROUPS),
        Some(Observed::Absent) | None => false,
    }
}

/// The features of the scheduler that decide when one task takes the CPU from another.
const FEATURES: [&str; 8] = [
    "HRTICK",
    "HRTICK_DL",
    "PLACE_LAG",
    "PLACE_DEADLINE_INITIAL",
    "PREEMPT_SHORT",
    "RT_RUNTIME_SHARE",
    "RUN_TO_PARITY",
    "WAKEUP_PREEMPTION",
];

/// Every condition, in the order of the manual.
pub const CONDITIONS: &[Condition] = &[
    Condition {
        name: "sched_ext",
        what: "the scheduler that a program has loaded for ordinary tasks (`/sys/kernel/sched_ext`)",
        read: sched_ext,
    },
    Condition {
        name: "cpu_weight",
        what: "weight of this process's control group and of those above it (`cpu.weight`, `cpu.shares`)",
        read: |place| of_groups(place, "cpu.weight", "cpu.shares"),
    },
    Condition {
        name: "cpu_idle",
        what: "whether a group's tasks run only when no others are ready (`cpu.idle`)",
        read: |place| of_groups(place, "cpu.idle", "cpu.idle"),
    },
    Condition {
        name: "cpu_max",
        what: "CPU time that a group's tasks may use (`cpu.max`, `cpu.cfs_quota_us`)",
        read: |place| of_groups(place, "cpu.max", "cpu.cfs_quota_us"),
    },
    Condition {
        name: "rt_runtime_us",
        what: "CPU time that a group's real-time tasks may use (`cpu.rt_runtime_us`)",
        read: rt_budget,
    },
    Condition {
        name: "uclamp_min",
        what: "utilization that the frequency governor assumes at least (`cpu.uclamp.min`)",
        read: |place| of_groups(place, "cpu.uclamp.min", "cpu.uclamp.min"),
    },
    Condition {
        name: "autogroup",
        what: "whether the tasks of each session share its CPU time, and the session's nice value",
        read: autogroup,
    },
    Condition {
        name: "sched_features",
        what: "the scheduler's features that decide about preemption, such as `HRTICK` (debugfs)",
        read: features,
    },
    Condition {
        name: "base_slice_ns",
        what: "slice of an ordinary task (debugfs)",
        read: |place| place.tree.text("/sys/kernel/debug/sched/base_slice_ns"),
    },
    Condition {
        name: "isolated_by",
        what: "what isolates the measured CPUs: the boot parameters, a partition or cpusets",
        read: isolated_by,
    },
    Condition {
        name: "deepest_idle_state",
        what: "deepest idle state that the measured CPUs may enter under the limits in force during the run: \
               `/dev/cpu_dma_latency`, `pm_qos_resume_latency_us` and states that are off",
        read: |place| idle_depth::deepest(place.tree, place.cpus),
    },
    Condition {
        name: "resume_latency_us",
        what: "latency limit of each measured CPU (`pm_qos_resume_latency_us`)",
        read: |place| idle_depth::limits(place.tree, place.cpus),
    },
    Condition { name: "tuned", what: "tuned's active profile, if tuned is running", read: tuned },
    Condition {
        name: "irqbalance",
        what: "whether irqbalance is running",
        read: |place| {
            let words = |runs| Some(if runs { "running" } else { "not running" }.to_owned());
            place.tree.runs("irqbalance").read_as("", words)
        },
    },
    Condition {
        name: "tracer",
        what: "tracer of the whole system (`current_tracer`)",
        read: |place| place.tree.text("/sys/kernel/tracing/current_tracer"),
    },
    Condition {
        name: "seccomp",
        what: "whether a filter is called with each system call of this process",
        read: |place| place.tree.line("/proc/self/status", "Seccomp:"),
    },
    Condition {
        name: "store_bypass",
        what: "mitigation of Speculative Store Bypass for this process",
        read: |place| place.tree.line("/proc/self/status", "Speculation_Store_Bypass:"),
    },
    Condition {
        name: "indirect_branch",
        what: "mitigation of speculated indirect branches for this process",
        read: |place| place.tree.line("/proc/self/status", "SpeculationIndirectBranch:"),
    },
    Condition {
        name: "microcode",
        what: "version of the processors' microcode",
        read: |place| place.tree.line("/proc/cpuinfo", "microcode\t"),
    },
];

/// Version 2 has no such budgets, and where the kernel has them, each group of version 1 has the file.
fn rt_budget(place: &Place) -> Observed<String> {
    const FILE: &str = "cpu.rt_runtime_us";
    let text = |path: &str| place.tree.text(path).seen();
    let groups = ControlGroups::of_this(&text);
    let is_of_version_one = groups.as_ref().is_none_or(|groups| groups.path("cpu").is_some());
    let own = groups.and_then(|groups| groups.folders("cpu").into_iter().next());
    let has_none = own
        .is_some_and(|own| place.tree.text(&own.join(FILE).to_string_lossy()) == Observed::Absent);
    if is_of_version_one && !has_none { of_groups(place, FILE, FILE) } else { Observed::Absent }
}

fn sched_ext(place: &Place) -> Observed<String> {
    const FOLDER: &str = "/sys/kernel/sched_ext";
    let state = match place.tree.text(&format!("{FOLDER}/state")) {
        Observed::Seen(state) if state == "enabled" => state,
        known => return known,
    };
    match place.tree.text(&format!("{FOLDER}/root/ops")) {
        Observed::Seen(name) => Observed::Seen(format!("{name} ({state})")),
        _ => Observed::Seen(state),
    }
}

fn autogroup(place: &Place) -> Observed<String> {
    match place.tree.text("/proc/sys/kernel/sched_autogroup_enabled") {
        Observed::Seen(state) if state == "0" => Observed::Seen("off".to_owned()),
        // `/autogroup-17 nice 0`: the number differs in each session and decides nothing. What started
        // without a session, as process 1, is in no such group: kernel/sched/autogroup.c,
        // `proc_sched_autogroup_show_task`.
        Observed::Seen(_) => place.tree.text("/proc/self/autogroup").read_as(
            "/proc/self/autogroup makes no sense",
            |text| match text.split_once(' ') {
                None if text.is_empty() => Some("on, in no session's group".to_owned()),
                group => Some(format!("on, {}", group?.1)),
            },
        ),
        unseen => unseen,
    }
}

fn features(place: &Place) -> Observed<String> {
    let path = "/sys/kernel/debug/sched/features";
    place.tree.text(path).read_as(&format!("{path} is empty"), |text| {
        let is_one = |word: &&str| FEATURES.contains(&word.strip_prefix("NO_").unwrap_or(word));
        let words: Vec<&str> = text.split_whitespace().filter(is_one).collect();
        (!words.is_empty()).then(|| words.join(" "))
    })
}

fn isolated_by(place: &Place) -> Observed<String> {
    let named = place.tree.isolated_by();
    let cpus = |of: &CpuSet| place.cpus.iter().filter(|cpu| of.contains(*cpu)).collect::<CpuSet>();
    let by = named.iter().map(|(by, of)| (by, cpus(of))).filter(|(_, cpus)| !cpus.is_empty());
    let by: Vec<String> = by.map(|(by, cpus)| format!("{by} ({})", cpus.in_words())).collect();
    match by.is_empty() {
        false => Observed::Seen(by.join(", ")),
        true if place.tree.is_in_first(Namespace::ControlGroups) != Observed::Seen(true) => {
            Observed::Hidden("control groups outside this container cannot be seen".to_owned())
        }
        true => {
            let list = place.tree.text("/sys/devices/system/cpu/isolated");
            list.read_as("", |_| Some("nothing".to_owned()))
        }
    }
}

fn tuned(place: &Place) -> Observed<String> {
    match place.tree.runs("tuned") {
        Observed::Seen(true) => place.tree.text("/etc/tuned/active_profile"),
        Observed::Seen(false) => Observed::Seen("not running".to_owned()),
        Observed::Absent => Observed::Absent,
        Observed::Hidden(why) => Observed::Hidden(why),
    }
}

/// Returns the values of a file of this process's control group and of the groups above it, its own
/// first; `one` is the file's name in version 1, whose controller `cpu` then decides.
fn of_groups(place: &Place, two: &str, one: &str) -> Observed<String> {
    let text = |path: &str| place.tree.text(path).seen();
    let Some(groups) = ControlGroups::of_this(&text) else {
        return Observed::Hidden("/proc/self/cgroup cannot be read".to_owned());
    };
    let (controller, file) = if groups.path("cpu").is_some() { ("cpu", one) } else { ("", two) };
    let folders = groups.folders(controller);
    if folders.is_empty() {
        return Observed::Hidden("the control group of this process is not mounted".to_owned());
    }
    let mut values = Vec::new();
    for folder in &folders {
        match place.tree.text(&folder.join(file).to_string_lossy()) {
            Observed::Seen(value) => values.push(value),
            Observed::Absent => {}
            Observed::Hidden(why) => return Observed::Hidden(why),
        }
    }
    let sees_all = place.tree.is_in_first(Namespace::ControlGroups) == Observed::Seen(true)
        && groups.reaches_root(controller);
    match (values.is_empty(), sees_all) {
        (true, true) => Observed::Absent,
        (true, false) => Observed::Hidden("the control groups above cannot be seen".to_owned()),
        (false, true) => Observed::Seen(values.join(" in ")),
        (false, false) => Observed::Seen(format!("{}{IN_HIDDEN_GROUPS}", values.join(" in "))),
    }
}

#[cfg(test)]
mod tests;
