//! Costs of memory.

use super::{Change, Check, Level, WAKEUP, not_told};
use crate::State::{Advice, Ok};

pub(super) const CHECKS: &[Check] = &[SWAP, TRANSPARENT_HUGE_PAGES];

const SWAP: Check = Check {
    name: "swap",
    level: Level::Rest(2),
    knobs: &["swappiness"],
    look: |seen| match (seen.machine.memory_bytes, seen.machine.swap_bytes) {
        (0, _) => not_told(""),
        (_, 0) => (Ok, "swap is off".to_owned()),
        (_, bytes) => (Advice, format!("swap is on ({} MiB)", bytes >> 20)),
    },
    why: "A page that was swapped to a disk costs milliseconds at its next use. Locked memory is \
          safe from that; a program that does not lock its memory is not.",
    source: "man 2 mlockall",
    change: |_| Change::command("sudo swapoff -a"),
    see: "steadfast run wakeup --cpus {cpus} --memory unlocked --seconds 60 --load memory",
};

const TRANSPARENT_HUGE_PAGES: Check = Check {
    name: "transparent_huge_pages",
    level: Level::Rest(3),
    knobs: &["thp", "thp_defrag"],
    look: |seen| match seen.machine.transparent_huge_pages.as_deref() {
        None => not_told(""),
        Some("always") => {
            (Advice, "the kernel builds huge pages from the memory of all programs".to_owned())
        }
        Some(choice) => (Ok, format!("transparent huge pages are set to {choice}")),
    },
    why: "While the kernel collects small pages into a huge one, threads that touch them wait, and \
          every CPU that runs the program is interrupted.",
    source: "Documentation/admin-guide/mm/transhuge.rst",
    change: |_| {
        Change::command("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
            .at_boot("transparent_hugepage=madvise")
    },
    see: WAKEUP,
};
