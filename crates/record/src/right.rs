//! How to get a right that a process lacks.

use base::RightBarrier;

/// How to get the rights where a capability does not grant them.
pub const IN_USER_NAMESPACE: &str = "in a user namespace (a rootless container) no capability grants it: start the program outside; or raise the limits before it starts, as with `--ulimit rtprio=99 --ulimit memlock=-1`";

/// How to get a right that a program holds and a filter refuses.
const WITHOUT_A_FILTER: &str = "start it without its filter of system calls: a container with `--security-opt seccomp=unconfined`, a service without `SystemCallFilter=`";

/// How to get a policy that a control group refuses.
const IN_ROOT_GROUP: &str = "if the kernel has CONFIG_RT_GROUP_SCHED, move this shell into the root control group: `echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs`; in version 1 of groups, write `/sys/fs/cgroup/cpu/tasks`; or boot with `rt_group_sched=0`";

const BY_SECURITY_MODULE: &str =
    "find the rule of a security module that refuses it: its log names the refusal";

/// Where the device for idle states is missing or refused.
pub(crate) const WITH_DEVICE: &str =
    "in a container, start it with `--device /dev/cpu_dma_latency`";

pub(crate) const LEAVE_IDLE_STATES: &str =
    "leave idle states as they are with `--idle-states leave`";

/// Returns how to get the rights that real-time measurements need. What keeps a process from them is
/// `None` if it is not known.
#[must_use]
pub fn remedy_for(barrier: Option<RightBarrier>) -> &'static str {
    match barrier {
        None | Some(RightBarrier::NoCapability) => {
            "run with `sudo`, or grant the right once: `sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)`"
        }
        Some(RightBarrier::NoSudo) => {
            "run as root, or let root grant the right once: `setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)`"
        }
        Some(RightBarrier::Bounds) => {
            "start the container with `--cap-add SYS_NICE --cap-add IPC_LOCK`, or the service with both in its `CapabilityBoundingSet=`"
        }
        Some(RightBarrier::UserNamespace) => IN_USER_NAMESPACE,
        Some(RightBarrier::Filter) => WITHOUT_A_FILTER,
        Some(RightBarrier::Rule) => BY_SECURITY_MODULE,
    }
}

/// Returns how to get a real-time policy that the kernel refuses a process with the capability for it.
pub(crate) fn remedy_for_held_policy(barrier: Option<RightBarrier>) -> String {
    match barrier {
        Some(RightBarrier::Filter) => format!("{WITHOUT_A_FILTER}; or {IN_ROOT_GROUP}"),
        Some(_) => format!("{IN_ROOT_GROUP}; else {BY_SECURITY_MODULE}"),
        None => {
            format!("{IN_ROOT_GROUP}; if it has a filter, {WITHOUT_A_FILTER}; {IN_USER_NAMESPACE}")
        }
    }
}

/// Returns how to get the right to hold off idle states, which needs the device.
pub(crate) fn remedy_for_device(barrier: Option<RightBarrier>) -> &'static str {
    match barrier {
        None | Some(RightBarrier::NoCapability) => "run with `sudo`",
        Some(RightBarrier::NoSudo) => "run as root",
        Some(RightBarrier::UserNamespace) => {
            "run outside of the user namespace (a rootless container)"
        }
        Some(RightBarrier::Bounds | RightBarrier::Filter | RightBarrier::Rule) => WITH_DEVICE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sudo_is_named_only_where_it_can_help() {
        for barrier in [
            RightBarrier::NoSudo,
            RightBarrier::Bounds,
            RightBarrier::UserNamespace,
            RightBarrier::Filter,
            RightBarrier::Rule,
        ] {
            for remedy in [remedy_for(Some(barrier)), remedy_for_device(Some(barrier))] {
                assert!(!remedy.contains("sudo"), "{barrier:?}: {remedy}");
            }
        }
    }
}
