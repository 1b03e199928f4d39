//! The real-time budget of the control group of this process.

use base::Observed;
use rt::control_group::ControlGroups;
use rt::namespace::Namespace;
use rt::system::USUAL_RT_PERCENT;

use super::{Change, Check, Level, Sight, not_told};
use crate::Seen;
use crate::State::{Ok, Warning};

pub(super) const CHECKS: &[Check] = &[REAL_TIME_BUDGET];

const REAL_TIME_BUDGET: Check = Check {
    name: "real_time_budget",
    level: Level::Start(3),
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

/// Whether this may be why the kernel refuses a policy.
pub(super) fn may_lack_budget(seen: &Seen) -> bool {
    real_time_budget(seen).0 != Ok
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
pub(super) fn leave_group(seen: &Seen) -> Change {
    // What runs showed is a budget of version 1: version 2 has none.
    let version_one = !seen.tree.is_reachable() || seen.tree.exists("/sys/fs/cgroup/cpu/tasks");
    match seen.tree.is_in_first(Namespace::ControlGroups) {
        Observed::Seen(false) => Change::words(
            "start the container with a real-time budget, such as --cpu-rt-runtime=950000, or on a \
             kernel booted with rt_group_sched=0",
        ),
        _ if version_one => Change::command("echo $$ | sudo tee /sys/fs/cgroup/cpu/tasks").or(
            "to move this shell into the root group; a container: start it with --cpu-rt-runtime=950000; \
             or boot with rt_group_sched=0",
        ),
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
