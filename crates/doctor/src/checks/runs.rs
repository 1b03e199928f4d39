//! What no setting tells, and runs alone show.

use super::{Change, Check, Sight, WAKEUP};
use crate::Seen;
use crate::State::Unknown;

/// Nothing: without evidence there is no finding.
fn not_seen(_: &Seen) -> Sight {
    (Unknown, String::new())
}

pub(super) const PAGE_FAULTS: Check = Check {
    name: "page_faults",
    knobs: &["memory_lock"],
    look: not_seen,
    why: "A page fault in a measured loop takes the thread into the kernel, which finds the memory, \
          or reads it from a disk, in the middle of a period.",
    source: "man 2 mlockall",
    change: |_| Change::words("lock all memory (the default), and keep more of it free"),
    see: WAKEUP,
};

pub(super) const PRIORITY_INVERSION: Check = Check {
    name: "priority_inversion",
    knobs: &[],
    look: not_seen,
    why: "A lock that does not lend its holder the priority of who waits for it lets any thread of \
          a priority between the two run first.",
    source: "Documentation/locking/rt-mutex-design.rst",
    change: |_| {
        Change::command("pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT)")
            .or("priority-inheritance mutexes wherever threads of different priority share data")
    },
    see: "steadfast run priority_inversion --cpus {cpus}",
};

pub(super) const LOAD_SENSITIVITY: Check = Check {
    name: "load_sensitivity",
    knobs: &["cache"],
    look: not_seen,
    why: "What other programs do reaches a real-time thread through what it shares with them: the \
          kernel's locks and interrupts, caches, memory.",
    source: "man 1 taskset",
    change: |seen| match (seen.machine.lab.is_some(), seen.others.is_empty()) {
        (true, _) => {
            Change::command("steadfast lab compare").or("which kernel keeps that load away")
        }
        (false, true) => Change::words("a machine with another CPU for everything else"),
        (false, false) => Change::command("taskset --cpu-list {others} COMMAND")
            .or("which keeps background work on CPUs of its own"),
    },
    see: WAKEUP,
};
