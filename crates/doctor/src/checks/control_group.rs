//! Limits set by the control group of this process.

use rt::control_group::ControlGroups;
use units::CpuSet;

use super::{Change, Check, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};

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
    let text = |path: &str| seen.tree.text(path);
    let Some(groups) = ControlGroups::of_this(&text) else {
        return not_told("/proc/self/cgroup is missing");
    };
    match groups.cpu_budget() {
        Some(budget) => (Warning, format!("the control group may use {budget}")),
        None => (Ok, "this process has no CPU budget".to_owned()),
    }
}

pub(super) const REAL_TIME_BUDGET: Check = Check {
    name: "real_time_budget",
    knobs: &[],
    look: real_time_budget,
    why: "In a kernel with CONFIG_RT_GROUP_SCHED a control group without real-time budget \
          cannot use real-time policies, not even as root.",
    source: "Documentation/scheduler/sched-rt-group.rst",
    change: |_| {
        Change::command("echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs")
            .or("to move this shell into the root group; under version 1 write to \
             /sys/fs/cgroup/cpu/tasks; or boot with rt_group_sched=0")
    },
    see: "steadfast run wakeup --cpus {cpus} --policy fifo:80 --idle-states leave",
};

fn real_time_budget(seen: &Seen) -> Sight {
    let text = |path: &str| seen.tree.text(path);
    let groups = ControlGroups::of_this(&text);
    let groups = groups.as_ref();
    let budget = groups.and_then(|groups| groups.of_version_one("cpu.rt_runtime_us", |_| true));
    match (budget, seen.config("CONFIG_RT_GROUP_SCHED")) {
        (Some(0), _) => (
            Warning,
            "the control group has no real-time budget (cpu.rt_runtime_us is 0)".to_owned(),
        ),
        (Some(us), _) => (Ok, format!("the control group has {us} µs of real-time budget")),
        (None, Some("n")) => (Ok, "this kernel needs no real-time budget".to_owned()),
        (None, None) => not_told("the kernel's configuration cannot be read"),
        (None, Some(_)) => match groups.and_then(|groups| groups.path("")) {
            Some("/") => (Ok, "the root control group has all of the budget".to_owned()),
            Some(_) if seen.boot_parameter("rt_group_sched") != Some("0") => (
                Warning,
                "the control group may have no real-time budget (CONFIG_RT_GROUP_SCHED)".to_owned(),
            ),
            _ => not_told(""),
        },
    }
}

pub(super) const CPUS_ALLOWED: Check = Check {
    name: "cpus_allowed",
    knobs: &[],
    look: |seen| {
        let allowed = seen.tree.line("/proc/self/status", "Cpus_allowed_list");
        let Some(allowed) = allowed.and_then(|list| list.parse::<CpuSet>().ok()) else {
            return not_told("");
        };
        let refused = seen.machine.cpus.without(&allowed);
        match refused.is_empty() {
            true => (Ok, "this process may use every CPU".to_owned()),
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
