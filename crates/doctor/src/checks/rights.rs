//! The rights of this process.

use base::RightBarrier;
use record::IN_USER_NAMESPACE;
use rt::rights::{self, Capability};

use super::affinity::{every_cpu, narrowed};
use super::limits::{UNLIMITED, limit};
use super::real_time_budget::{leave_group, may_lack_budget};
use super::{Change, Check, Level, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};

pub(super) const CHECKS: &[Check] = &[REAL_TIME_PRIORITY, MEMORY_LOCK, DEADLINE_POLICY];

const GRANT: &str = "sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)";

const REAL_TIME_PRIORITY: Check = Check {
    name: "real_time_priority",
    level: Level::Start(2),
    knobs: &[],
    look: real_time_priority,
    why: "Without CAP_SYS_NICE, and with a limit (RLIMIT_RTPRIO) of 0, the kernel refuses every \
          real-time policy.",
    source: "man 7 sched (Privileges and resource limits)",
    change: |seen| match barrier(seen, Capability::SysNice) {
        Some(RightBarrier::Rule) if may_lack_budget(seen) => leave_group(seen),
        _ => {
            const LIMIT: &str = "for a user, in /etc/security/limits.conf: USER - rtprio 99";
            grant(seen, Capability::SysNice, LIMIT)
        }
    },
    see: "steadfast run wakeup --cpus {cpus} --policy fifo:80 --idle-states leave",
};

fn real_time_priority(seen: &Seen) -> Sight {
    let Some(tried) = seen.tried else { return not_told("") };
    let policy = tried.policy;
    let Some(why) = &tried.policy_refused else {
        return (Ok, format!("the kernel grants this process the policy {policy}"));
    };
    let without_a_filter = match may_lack_budget(seen) {
        true => "its control group may have no real-time budget",
        false => "a security module may do so",
    };
    let refuser = refuser(seen, Capability::SysNice, without_a_filter);
    match (refuser, limit(seen, "Max realtime priority")) {
        (Some(refuser), _) => (
            Warning,
            format!(
                "the kernel refuses policy {policy} ({why}), although this process holds \
                 CAP_SYS_NICE: {refuser}"
            ),
        ),
        (None, Some(most @ 1..)) => (
            Advice,
            format!(
                "this process may request priorities up to {most} (--policy fifo:{most}), not \
                 {policy}"
            ),
        ),
        _ => (Warning, "this process may not request a real-time policy".to_owned()),
    }
}

const MEMORY_LOCK: Check = Check {
    name: "memory_lock",
    level: Level::Limits(1),
    knobs: &["memory_lock"],
    look: memory_lock,
    why: "Memory that is not locked can be reclaimed or swapped to a disk, and its next use \
          is a page fault in the middle of a period.",
    source: "man 2 mlockall",
    change: |seen| {
        const LIMIT: &str = "for a user, in /etc/security/limits.conf: USER - memlock unlimited";
        grant(seen, Capability::IpcLock, LIMIT)
    },
    see: "steadfast run wakeup --cpus {cpus} --policy other --memory locked --idle-states leave",
};

fn memory_lock(seen: &Seen) -> Sight {
    let Some(tried) = seen.tried else { return not_told("") };
    const MODULE: &str = "a security module may do so";
    let refuser = refuser(seen, Capability::IpcLock, MODULE);
    match (&tried.lock_refused, refuser, limit(seen, "Max locked memory")) {
        (None, Some(_), _) => (Ok, "this process may lock memory (CAP_IPC_LOCK)".to_owned()),
        (None, _, Some(UNLIMITED)) => (Ok, "this process may lock all of its memory".to_owned()),
        (Some(why), Some(_), _) | (Some(why), _, Some(UNLIMITED)) => (
            Warning,
            format!(
                "the kernel refuses to lock memory ({why}), although this process has the right: {}",
                refuser.unwrap_or("a filter of system calls or a security module may do so")
            ),
        ),
        (_, _, Some(bytes)) => {
            (Warning, format!("this process may lock only {bytes} bytes of memory"))
        }
        (Some(why), ..) => (Warning, format!("the kernel refuses to lock memory ({why})")),
        (None, _, None) => not_told("how much memory this process may lock"),
    }
}

const DEADLINE_POLICY: Check = Check {
    name: "deadline_policy",
    level: Level::Limits(4),
    knobs: &[],
    look: deadline_policy,
    why: "The kernel guarantees a deadline thread its run time in each period. It grants the policy only \
          with CAP_SYS_NICE, and only to a thread that may use all CPUs that share a load balance.",
    source: "Documentation/scheduler/sched-deadline.rst",
    change: |seen| match barrier(seen, Capability::SysNice) {
        Some(barrier) if barrier.is_held() && narrowed(seen).is_some() => every_cpu(seen),
        Some(barrier) if barrier.is_held() => {
            Change::words("another real-time policy, such as --policy fifo:80")
        }
        _ => grant(seen, Capability::SysNice, "no limit of a user grants it"),
    },
    see: "steadfast run wakeup --cpus {cpus} --policy deadline:100us/1ms --seconds 60",
};

fn deadline_policy(seen: &Seen) -> Sight {
    let Some(tried) = seen.tried else { return not_told("") };
    let Some(why) = &tried.deadline_refused else {
        return (Ok, "the kernel grants this process deadline policies".to_owned());
    };
    let refuser = refuser(seen, Capability::SysNice, "their bandwidth may be used up");
    let reason = match (refuser, narrowed(seen)) {
        (Some(_), Some(cpus)) => format!("this process may use only {}", cpus.in_words()),
        (Some(refuser), None) => refuser.to_owned(),
        (None, _) => match barrier(seen, Capability::SysNice) {
            Some(RightBarrier::UserNamespace) => "in a user namespace no capability grants them",
            Some(_) => "this process does not hold CAP_SYS_NICE",
            None => "the capabilities of this process cannot be seen",
        }
        .to_owned(),
    };
    (Advice, format!("the kernel refuses deadline policies ({why}): {reason}"))
}

/// Returns how to get a right here, which a capability grants; `limit` is another way, by a limit of
/// the user.
fn grant(seen: &Seen, capability: Capability, limit: &'static str) -> Change {
    match barrier(seen, capability) {
        Some(RightBarrier::Filter) => Change::ask(
            "start it without its filter of system calls: a container with --security-opt \
             seccomp=unconfined, a service without SystemCallFilter=",
        ),
        Some(RightBarrier::Rule) => Change::words(
            "a rule of the security module that permits it; its log names the refusal",
        ),
        Some(RightBarrier::UserNamespace) => Change::words(IN_USER_NAMESPACE),
        Some(RightBarrier::Bounds) => {
            Change::ask("start the container with --cap-add SYS_NICE --cap-add IPC_LOCK")
                .or("or a service with these in its CapabilityBoundingSet")
        }
        Some(RightBarrier::NoCapability | RightBarrier::NoSudo) | None => {
            Change::by_program(seen, GRANT, "run it as root").or(limit)
        }
    }
}

/// Returns what keeps this process from a right; `None` if it cannot be seen.
fn barrier(seen: &Seen, capability: Capability) -> Option<RightBarrier> {
    let text = |path: &str| seen.tree.text(path).seen();
    rights::barrier(&text, seen.tree.has_program("sudo"), capability)
}

/// Returns what refuses a right although this process has the capability for it, in words; `None` if it
/// lacks the capability. `else_` is what may refuse it without a filter.
fn refuser(seen: &Seen, capability: Capability, else_: &'static str) -> Option<&'static str> {
    match barrier(seen, capability)? {
        RightBarrier::Filter => Some("a filter of system calls (seccomp) may do so"),
        held => held.is_held().then_some(else_),
    }
}
