//! Limits that the kernel enforces by ending this process.

use super::{Change, Check, Level, not_told};
use crate::Seen;
use crate::State::{Advice, Ok};

pub(super) const CHECKS: &[Check] = &[REAL_TIME_LIMIT, CPU_TIME_LIMIT];

const REAL_TIME_LIMIT: Check = Check {
    name: "real_time_limit",
    level: Level::Limits(2),
    knobs: &[],
    look: |seen| match limit(seen, "Max realtime timeout") {
        None => not_told(""),
        Some(UNLIMITED) => (Ok, "real-time threads may use a CPU without a time limit".to_owned()),
        Some(us) => (
            Advice,
            format!("a real-time thread that uses a CPU for {us} µs without waiting is ended"),
        ),
    },
    why: "The kernel ends a process if one of its real-time threads runs this long without waiting \
          (RLIMIT_RTTIME). rtkit and login managers set it.",
    source: "man 2 getrlimit (RLIMIT_RTTIME)",
    change: |seen| {
        let otherwise = "start it without the limit on real-time run time (RLIMIT_RTTIME)";
        for_this_shell(seen, "sudo prlimit --pid $$ --rttime=unlimited", otherwise)
    },
    see: "steadfast run frame --cpus {cpus} --fill 50% --seconds 10",
};

const CPU_TIME_LIMIT: Check = Check {
    name: "cpu_time_limit",
    level: Level::Limits(3),
    knobs: &[],
    look: |seen| match limit(seen, "Max cpu time") {
        None => not_told(""),
        Some(UNLIMITED) => (Ok, "this process may use CPUs without a time limit".to_owned()),
        Some(seconds) => (Advice, format!("a process that has used CPUs for {seconds} s is ended")),
    },
    why: "The kernel ends a process whose threads together have used this much CPU time (RLIMIT_CPU), \
          in the middle of its work.",
    source: "man 2 getrlimit (RLIMIT_CPU)",
    change: |seen| {
        let otherwise = "start it without the limit on CPU time (RLIMIT_CPU)";
        for_this_shell(seen, "sudo prlimit --pid $$ --cpu=unlimited", otherwise)
    },
    see: "steadfast run frame --cpus {cpus} --fill 50% --seconds 10",
};

fn for_this_shell(seen: &Seen, command: &'static str, otherwise: &'static str) -> Change {
    Change::by_program(seen, command, otherwise).or("for this shell and what it starts")
}

/// The value for an unlimited resource.
pub(super) const UNLIMITED: u64 = u64::MAX;

/// Returns the effective (soft) limit.
pub(super) fn limit(seen: &Seen, name: &str) -> Option<u64> {
    let columns = seen.tree.line("/proc/self/limits", name).seen()?;
    match columns.split_whitespace().next()? {
        "unlimited" => Some(UNLIMITED),
        number => number.parse().ok(),
    }
}
