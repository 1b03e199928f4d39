//! Limits set by the control group of this process.

use std::path::{Path, PathBuf};

use rt::control_group::ControlGroups;
use rt::system::USUAL_RT_PERCENT;
use units::{CpuSet, Observed};

use super::{Change, Check, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};
use crate::tree::Namespace;

pub(super) const CPU_BUDGET: Check = Check {
    name: "cpu_budget",
    knobs: &[],
    look: cpu_budget,
    why: "A control group that has used its budget is stopped until the next period, often for \
          most of 100 ms.",
    source: "Documentation/admin-guide/cgroup-v2.rst (cpu.max)",
    change: |_| {
        Change::command("echo max | sudo tee /sys/fs/cgroup/GROUP/cpu.max")
            .or("in a container: start it without --cpus and --cpu-quota")
    },
    see: "steadfast run wakeup --cpus {cpus} --policy other --seconds 60 --load cpu",
};

fn cpu_budget(seen: &Seen) -> Sight {
    let text = |path: &str| seen.tree.text(path).seen();
    let Some(groups) = ControlGroups::of_this(&text) else {
        return not_told("/proc/self/cgroup is missing");
    };
    match (groups.cpu_budget(), hidden_groups(seen, &groups)) {
        (Some(budget), _) => (Warning, format!("the control group may use {budget}")),
        (None, Some(why)) => not_told(&why),
        (None, None) => (Ok, "this process has no CPU budget".to_owned()),
    }
}

/// Returns why a limit on CPU time may exist that cannot be seen, if so: groups outside a container,
/// groups that are not mounted, or a file that a group should have.
fn hidden_groups(seen: &Seen, groups: &ControlGroups) -> Option<String> {
    if seen.tree.is_in_first(Namespace::ControlGroups) != Observed::Seen(true) {
        return Some("control groups outside this container cannot be seen".to_owned());
    }
    let controller = if groups.path("cpu").is_some() { "cpu" } else { "" };
    let folders = groups.folders(controller);
    if !groups.reaches_root(controller) {
        return Some("not all control groups of this process are mounted".to_owned());
    }
    let exists = |folder: &Path, file: &str| seen.tree.exists(&folder.join(file).to_string_lossy());
    let lacks = |folder: &&PathBuf| match controller {
        "cpu" => !exists(folder, "cpu.cfs_quota_us"),
        _ => has_controller(seen, folder) != Some(false) && !exists(folder, "cpu.max"),
    };
    // The root of version 2 has no limit.
    let limited = folders.len() - usize::from(controller.is_empty());
    let lacking = folders[..limited].iter().find(lacks)?;
    Some(format!("{} does not show its limit", lacking.display()))
}

/// Whether a group of version 2 has the controller `cpu`, without which it has no limit.
fn has_controller(seen: &Seen, folder: &Path) -> Option<bool> {
    let file = folder.join("cgroup.controllers");
    let controllers = seen.tree.text(file.to_str()?).seen()?;
    Some(controllers.split_whitespace().any(|name| name == "cpu"))
}

pub(super) const REAL_TIME_BUDGET: Check = Check {
    name: "real_time_budget",
    knobs: &[],
    look: real_time_budget,
    why: "In a kernel with CONFIG_RT_GROUP_SCHED a control group without real-time budget \
          cannot use real-time policies, not even as root.",
    source: "Documentation/scheduler/sched-rt-group.rst",
    change: leave_group,
    see: "steadfast run wakeup --cpus {cpus} --policy fifo:80 --idle-states leave",
};

/// The share of a CPU, in percent, below which a real-time budget is small.
const ENOUGH_PERCENT: i64 = USUAL_RT_PERCENT as i64;

fn real_time_budget(seen: &Seen) -> Sight {
    let text = |path: &str| seen.tree.text(path).seen();
    match (ControlGroups::of_this(&text), seen.config("CONFIG_RT_GROUP_SCHED")) {
        (_, Some("n")) => (Ok, "this kernel needs no real-time budget".to_owned()),
        _ if is_off(seen) => (Ok, "this kernel does not divide real-time budget".to_owned()),
        (None, _) => not_told("/proc/self/cgroup is missing"),
        (Some(groups), _) if groups.path("cpu").is_some() => budget_of_version_one(seen, &groups),
        (_, None) => not_told("the kernel's configuration cannot be read"),
        (_, Some(_)) => budget_of_version_two(seen),
    }
}

fn budget_of_version_one(seen: &Seen, groups: &ControlGroups) -> Sight {
    let folders = groups.folders("cpu");
    let Some(own) = folders.first() else {
        return not_told("the control group of this process is not mounted");
    };
    let number = |name: &str| seen.tree.value::<i64>(&own.join(name).to_string_lossy()).seen();
    match (number("cpu.rt_runtime_us"), number("cpu.rt_period_us")) {
        (Some(0), _) => (
            Warning,
            "the control group has no real-time budget (cpu.rt_runtime_us is 0)".to_owned(),
        ),
        (Some(..0), _) => (Ok, "the control group does not limit real-time threads".to_owned()),
        (Some(runtime), Some(period @ 1..)) => {
            let percent = 100 * runtime / period;
            let state = if percent < ENOUGH_PERCENT { Warning } else { Ok };
            let found = format!(
                "the control group grants real-time threads {percent} % of a CPU ({runtime} of each \
                 {period} µs)"
            );
            (state, found)
        }
        _ => not_told("the control group does not show its real-time budget"),
    }
}

/// Version 2 has no such budget, and gives real-time policies to the root group alone.
fn budget_of_version_two(seen: &Seen) -> Sight {
    match seen.tried {
        None => not_told(""),
        Some(tried) if tried.policy_refused.is_none() && tried.policy.is_real_time() => {
            (Ok, "the control group grants real-time policies".to_owned())
        }
        Some(_) => (
            Warning,
            "the control group may have no real-time budget (CONFIG_RT_GROUP_SCHED)".to_owned(),
        ),
    }
}

/// Returns how to leave a group without real-time budget: in a container, only its start decides.
fn leave_group(seen: &Seen) -> Change {
    let version_one = seen.tree.exists("/sys/fs/cgroup/cpu/tasks");
    match seen.tree.is_in_first(Namespace::ControlGroups) {
        Observed::Seen(false) => Change::words(
            "start the container with a real-time budget, such as --cpu-rt-runtime=950000, or on a \
             kernel booted with rt_group_sched=0",
        ),
        _ if version_one => Change::command("echo $$ | sudo tee /sys/fs/cgroup/cpu/tasks")
            .or("to move this shell into the root group; or boot with rt_group_sched=0"),
        _ => Change::command("echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs")
            .or("to move this shell into the root group; or boot with rt_group_sched=0"),
    }
}

/// Whether group scheduling of real-time threads is built in and off: by the parameter
/// `rt_group_sched`, which is read like every switch of the kernel (kstrtobool), or by default.
fn is_off(seen: &Seen) -> bool {
    let by_default = seen.config("CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED") == Some("y");
    match seen.boot_parameter("rt_group_sched").map(str::to_ascii_lowercase) {
        None => by_default,
        Some(value) => value.starts_with(['n', 'f', 'd', '0']) || value.starts_with("of"),
    }
}

pub(super) const CPUS_ALLOWED: Check = Check {
    name: "cpus_allowed",
    knobs: &[],
    look: |seen| {
        let allowed = seen.tree.line("/proc/self/status", "Cpus_allowed_list").seen();
        let is_known = seen.tree.exists("/sys/devices/system/cpu/online");
        let Some(allowed) =
            allowed.and_then(|list| list.parse::<CpuSet>().ok()).filter(|_| is_known)
        else {
            return not_told("");
        };
        let refused = seen.machine.cpus.without(&allowed);
        let is_isolated = seen.left_out_of(&seen.machine.isolated_cpus).is_empty();
        match refused.is_empty() {
            true => (Ok, "this process may use every CPU".to_owned()),
            false if is_isolated => {
                (Ok, format!("this process may use {}, isolated", seen.cpus.in_words()))
            }
            false => (Advice, format!("this process may use only CPUs {allowed}")),
        }
    },
    why: "A cpuset, a container or taskset restricts this process and its children; other CPUs \
          can be neither measured nor used for other work.",
    source: "man 7 cpuset",
    change: |_| {
        Change::command("taskset --cpu-list 0-1023 steadfast ...")
            .or("or start the container without --cpuset-cpus")
    },
    see: "steadfast run wakeup --cpus all --seconds 60",
};
