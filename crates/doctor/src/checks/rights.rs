//! The rights of this process.

use plan::IN_USER_NAMESPACE;

use super::affinity::{every_cpu, narrowed};
use super::limits::{UNLIMITED, limit};
use super::real_time_budget::{leave_group, may_lack_budget};
use super::{Change, Check, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};

const GRANT: &str = "sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)";
const CAP_IPC_LOCK: u32 = 14;
const CAP_SYS_NICE: u32 = 23;

pub(super) const REAL_TIME_PRIORITY: Check = Check {
    name: "real_time_priority",
    knobs: &[],
    look: real_time_priority,
    why: "Without CAP_SYS_NICE, and with a limit (RLIMIT_RTPRIO) of 0, the kernel refuses every \
          real-time policy.",
    source: "man 7 sched (Privileges and resource limits)",
    change: |seen| match holds(seen, CAP_SYS_NICE) {
        Some(true) if !is_filtered(seen) && may_lack_budget(seen) => leave_group(seen),
        _ => {
            grant(seen, CAP_SYS_NICE, "for a user, in /etc/security/limits.conf: USER - rtprio 99")
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
    let limit = limit(seen, "Max realtime priority");
    match (holds(seen, CAP_SYS_NICE), limit) {
        (Some(true), _) => (
            Warning,
            format!(
                "the kernel refuses policy {policy} ({why}), although this process holds \
                 CAP_SYS_NICE: {}",
                refuser(
                    seen,
                    match may_lack_budget(seen) {
                        true => "its control group may have no real-time budget",
                        false => "a security module may do so",
                    }
                )
            ),
        ),
        (_, Some(most @ 1..)) => (
            Advice,
            format!(
                "this process may request priorities up to {most} (--policy fifo:{most}), not \
                 {policy}"
            ),
        ),
        _ => (Warning, "this process may not request a real-time policy".to_owned()),
    }
}

/// Returns what may refuse a right that this process has: a filter, if there is one.
fn refuser(seen: &Seen, else_: &'static str) -> &'static str {
    if is_filtered(seen) { "a filter of system calls (seccomp) may do so" } else { else_ }
}

fn is_filtered(seen: &Seen) -> bool {
    const FILTER: &str = "2";
    seen.tree.line("/proc/self/status", "Seccomp:").seen().as_deref() == Some(FILTER)
}

pub(super) const MEMORY_LOCK: Check = Check {
    name: "memory_lock",
    knobs: &["memory_lock"],
    look: memory_lock,
    why: "Memory that is not locked can be reclaimed or swapped to a disk, and its next use \
          is a page fault in the middle of a period.",
    source: "man 2 mlockall",
    change: |seen| {
        const LIMIT: &str = "for a user, in /etc/security/limits.conf: USER - memlock unlimited";
        grant(seen, CAP_IPC_LOCK, LIMIT)
    },
    see: "steadfast run wakeup --cpus {cpus} --policy other --memory locked --idle-states leave",
};

fn memory_lock(seen: &Seen) -> Sight {
    let Some(tried) = seen.tried else { return not_told("") };
    let limit = limit(seen, "Max locked memory");
    match (&tried.lock_refused, holds(seen, CAP_IPC_LOCK), limit) {
        (None, Some(true), _) => (Ok, "this process may lock memory (CAP_IPC_LOCK)".to_owned()),
        (None, _, Some(UNLIMITED)) => (Ok, "this process may lock all of its memory".to_owned()),
        (Some(why), Some(true), _) | (Some(why), _, Some(UNLIMITED)) => (
            Warning,
            format!(
                "the kernel refuses to lock memory ({why}), although this process has the right: {}",
                refuser(seen, "a security module may do so")
            ),
        ),
        (_, _, Some(bytes)) => {
            (Warning, format!("this process may lock only {bytes} bytes of memory"))
        }
        (Some(why), ..) => (Warning, format!("the kernel refuses to lock memory ({why})")),
        (None, _, None) => not_told("how much memory this process may lock"),
    }
}

pub(super) const DEADLINE_POLICY: Check = Check {
    name: "deadline_policy",
    knobs: &[],
    look: deadline_policy,
    why: "The kernel guarantees a deadline thread its run time in each period. It grants the policy only \
          with CAP_SYS_NICE, and only to a thread that may use all CPUs that share a load balance.",
    source: "Documentation/scheduler/sched-deadline.rst",
    change: |seen| match holds(seen, CAP_SYS_NICE) {
        Some(true) if narrowed(seen).is_some() => every_cpu(seen),
        Some(true) => Change::words("another real-time policy, such as --policy fifo:80"),
        _ => grant(seen, CAP_SYS_NICE, "no limit of a user grants it"),
    },
    see: "steadfast run wakeup --cpus {cpus} --policy deadline:100us/1ms --seconds 60",
};

fn deadline_policy(seen: &Seen) -> Sight {
    let Some(tried) = seen.tried else { return not_told("") };
    let Some(why) = &tried.deadline_refused else {
        return (Ok, "the kernel grants this process deadline policies".to_owned());
    };
    let reason = match (holds(seen, CAP_SYS_NICE), narrowed(seen)) {
        (Some(true), Some(cpus)) => format!("this process may use only {}", cpus.in_words()),
        (Some(true), None) => refuser(seen, "their bandwidth may be used up").to_owned(),
        _ => "this process does not hold CAP_SYS_NICE".to_owned(),
    };
    (Advice, format!("the kernel refuses deadline policies ({why}): {reason}"))
}

/// Returns how to get a right here, which a capability grants; `limit` is another way, by a limit of
/// the user.
fn grant(seen: &Seen, capability: u32, limit: &'static str) -> Change {
    if holds(seen, capability) == Some(true) {
        return match is_filtered(seen) {
            true => Change::ask(
                "start it without its filter of system calls: a container with --security-opt \
                 seccomp=unconfined, a service without SystemCallFilter=",
            ),
            false => Change::words(
                "a rule of the security module that permits it; its log names the refusal",
            ),
        };
    }
    if has_own_users(seen) {
        return Change::words(IN_USER_NAMESPACE);
    }
    let bounds = capabilities(seen, "CapBnd");
    if bounds.is_some_and(|bounds| [CAP_SYS_NICE, CAP_IPC_LOCK].iter().any(|&c| !bounds.has(c))) {
        return Change::ask("start the container with --cap-add SYS_NICE --cap-add IPC_LOCK")
            .or("or a service with these in its CapabilityBoundingSet");
    }
    Change::by_program(seen, GRANT, "run it as root").or(limit)
}

/// Whether this process has a capability where the kernel checks it: in the initial user namespace,
/// not in that of a container (man 7 user_namespaces).
fn holds(seen: &Seen, capability: u32) -> Option<bool> {
    Some(capabilities(seen, "CapEff")?.has(capability) && !has_own_users(seen))
}

/// A set of capabilities.
struct Capabilities(u64);

impl Capabilities {
    fn has(&self, capability: u32) -> bool {
        self.0 & (1 << capability) != 0
    }
}

/// Returns a set of this process: effective (`CapEff`), or the most that it can get (`CapBnd`).
fn capabilities(seen: &Seen, set: &str) -> Option<Capabilities> {
    let mask = seen.tree.line("/proc/self/status", set).seen()?;
    u64::from_str_radix(&mask, 16).ok().map(Capabilities)
}

/// Whether this process is in a user namespace of its own, as in a container.
fn has_own_users(seen: &Seen) -> bool {
    let map = seen.tree.text("/proc/self/uid_map").seen();
    map.is_some_and(|map| map.split_whitespace().ne(ALL_USERS))
}

/// The map of the initial user namespace.
const ALL_USERS: [&str; 3] = ["0", "0", "4294967295"];
