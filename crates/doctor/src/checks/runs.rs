//! Problems that no setting shows, only runs.

use super::{Change, Check, Level, Sight, WAKEUP};
use crate::Seen;
use crate::State::Unknown;

pub(super) const CHECKS: &[Check] = &[PAGE_FAULTS, PRIORITY_INVERSION, LOAD_SENSITIVITY];

/// Finds nothing: these checks need evidence from runs.
fn not_seen(_: &Seen) -> Sight {
    (Unknown, String::new())
}

const PAGE_FAULTS: Check = Check {
    name: "page_faults",
    level: Level::Runs(1),
    knobs: &["memory_lock"],
    look: not_seen,
    why: "A page fault in a measured loop takes the thread into the kernel, which provides the \
          memory or reads it from a disk, in the middle of a period.",
    source: "man 2 mlockall",
    change: |_| {
        Change::words(
            "lock memory (the default) and touch it before the loop; `steadfast audit FILE` shows where a \
             step touches new memory",
        )
    },
    see: WAKEUP,
};

const PRIORITY_INVERSION: Check = Check {
    name: "priority_inversion",
    level: Level::Runs(2),
    knobs: &[],
    look: not_seen,
    why: "A lock that does not raise its holder to the priority of the waiting thread lets any \
          thread of intermediate priority run first.",
    source: "Documentation/locking/rt-mutex-design.rst",
    change: |_| {
        Change::command("pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT)").or(
            "use priority-inheritance mutexes wherever threads of different priority share data",
        )
    },
    see: "steadfast run priority_inversion --cpus {cpus}",
};

const LOAD_SENSITIVITY: Check = Check {
    name: "load_sensitivity",
    level: Level::Runs(3),
    knobs: &["cache"],
    look: not_seen,
    why: "Other programs affect a real-time thread through what it shares with them: the \
          kernel's locks and interrupts, caches, memory.",
    source: "man 1 taskset",
    change: |seen| match seen.machine.lab {
        Some(_) => Change::command("steadfast lab compare")
            .or("to find a kernel that is not affected by this load"),
        None => Change::command("taskset --cpu-list {others} BACKGROUND_COMMAND")
            .or("to keep background work on separate CPUs")
            .if_others(seen),
    },
    see: WAKEUP,
};
