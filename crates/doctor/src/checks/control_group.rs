//! What the control group of this process grants.

use units::CpuSet;

use super::{Change, Check, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};

pub(super) const CPU_BUDGET: Check = Check {
    name: "cpu_budget",
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
    let unlimited = (Ok, "no budget limits this process".to_owned());
    let limited = |what: String| (Warning, format!("the control group may use {what}"));
    let quota = of_version_one(seen, "cpu.cfs_quota_us", |us| us >= 0);
    match (groups(seen), budget(seen), quota) {
        (None, ..) => not_told("there is no /proc/self/cgroup"),
        (_, Some(budget), _) => limited(format!("{budget} µs (cpu.max)")),
        (_, _, Some(quota)) => limited(format!("{quota} µs a period (cpu.cfs_quota_us)")),
        _ => unlimited,
    }
}

/// The budget nearest to this process, of version 2: `RUNTIME of each PERIOD`.
fn budget(seen: &Seen) -> Option<String> {
    let limit = |group: &str| {
        let text = seen.tree.text(&format!("/sys/fs/cgroup{group}/cpu.max"))?;
        let (runtime, period) = text.split_once(' ')?;
        (runtime != "max").then(|| format!("{runtime} of each {period}"))
    };
    up_from(&group(seen, "")?).find_map(limit)
}

pub(super) const REAL_TIME_BUDGET: Check = Check {
    name: "real_time_budget",
    look: real_time_budget,
    why: "In a kernel with CONFIG_RT_GROUP_SCHED a control group without real-time budget gets no \
          real-time policy, also as root.",
    source: "Documentation/scheduler/sched-rt-group.rst",
    change: |_| {
        Change::command("echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs").or(
            "which puts this shell into the root group; under version 1 into \
             /sys/fs/cgroup/cpu/tasks; at boot: rt_group_sched=0",
        )
    },
    see: "steadfast run wakeup --cpus {cpus} --policy fifo:80 --idle-states leave",
};

fn real_time_budget(seen: &Seen) -> Sight {
    let budget = of_version_one(seen, "cpu.rt_runtime_us", |_| true);
    match (budget, seen.config("CONFIG_RT_GROUP_SCHED")) {
        (Some(0), _) => (
            Warning,
            "the control group has no real-time budget (cpu.rt_runtime_us is 0)".to_owned(),
        ),
        (Some(us), _) => (
            Ok,
            format!("the control group has {us} µs of real-time budget"),
        ),
        (None, Some("n")) => (Ok, "this kernel needs no real-time budget".to_owned()),
        (None, None) => not_told("the kernel's configuration cannot be read"),
        (None, Some(_)) => match group(seen, "").as_deref() {
            Some("/") => (
                Ok,
                "the root control group has all of the budget".to_owned(),
            ),
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
    look: |seen| {
        let allowed = seen.tree.line("/proc/self/status", "Cpus_allowed_list");
        let Some(allowed) = allowed.and_then(|list| list.parse::<CpuSet>().ok()) else {
            return not_told("");
        };
        let refused = seen.machine.cpus.without(&allowed);
        match refused.is_empty() {
            true => (Ok, "this process may use every CPU".to_owned()),
            false => (Advice, format!("this process may use CPUs {allowed} only")),
        }
    },
    why: "A cpuset, a container or taskset confines this process and what it starts; other CPUs \
          can be neither measured nor left to other work.",
    source: "man 7 cpuset",
    change: |_| {
        Change::command("taskset --cpu-list 0-1023 steadfast ...")
            .or("or a container started without --cpuset-cpus")
    },
    see: "steadfast run wakeup --cpus all --seconds 60",
};

/// The control groups of this process: `NUMBER:CONTROLLERS:PATH`, a line each.
fn groups(seen: &Seen) -> Option<String> {
    seen.tree.text("/proc/self/cgroup")
}

/// The path of this process's group of a controller of version 1; of version 2 for the
/// empty name.
fn group(seen: &Seen, controller: &str) -> Option<String> {
    groups(seen)?.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let mut controllers = parts.next()?.split(',');
        let group = parts.next()?;
        controllers
            .any(|name| name == controller)
            .then(|| group.to_owned())
    })
}

/// A group and those above it. In a container, which sees its own group as the root,
/// the root is what is left.
fn up_from(group: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(group.trim_end_matches('/')), |group| {
        Some(group.rsplit_once('/')?.0)
    })
}

/// A number of the CPU controller of version 1, of the group nearest to this process
/// where it is as wanted.
fn of_version_one(seen: &Seen, name: &str, wanted: fn(i64) -> bool) -> Option<i64> {
    let of_group = |group: &str| {
        let mounts = ["cpu", "cpu,cpuacct", "cpuacct,cpu"].into_iter();
        let mut paths = mounts.map(|mount| format!("/sys/fs/cgroup/{mount}{group}/{name}"));
        paths.find_map(|path| seen.tree.value(&path))
    };
    up_from(&group(seen, "cpu")?)
        .filter_map(of_group)
        .find(|number| wanted(*number))
}
