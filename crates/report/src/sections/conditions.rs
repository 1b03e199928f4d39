//! The conditions of a run: requested and found.

use crate::document::{Cell, Table, TableOf};
use analysis::words;
use plan::Outcome;

use super::metrics::{count, in_words};

pub(super) fn listed(caption: &str, conditions: &[[String; 3]]) -> Table {
    TableOf::of(conditions)
        .text("Condition", |[name, _, _]| name)
        .text("Asked", |[_, asked, _]| asked)
        .text("Found", |[_, _, found]| found)
        .table(caption)
}

pub(super) fn threads(outcome: &Outcome) -> Table {
    TableOf::of(&outcome.found.threads)
        .text("Thread", |thread| &thread.name)
        .text("Policy asked", |thread| thread.asked_policy.to_string())
        .text("Policy found", |thread| {
            then(&thread.policy.to_string(), &thread.policy_at_end.to_string())
        })
        .text("CPUs asked", |thread| thread.asked_cpus.to_string())
        .text("CPUs found", |thread| {
            then(&thread.cpus.to_string(), &thread.cpus_at_end.to_string())
        })
        .number("Page faults", |thread| {
            let (minor, major) = (thread.counters.minor_faults, thread.counters.major_faults);
            Cell::number(words::grouped(minor + major), format!("{minor} minor, {major} major"))
        })
        .number("Waited", |thread| count(thread.counters.voluntary_switches))
        .number("Preempted", |thread| count(thread.counters.involuntary_switches))
        .number("Migrations", |thread| {
            Cell::or(thread.counters.migrations, "not reported by the kernel", count)
        })
        .number("CPU time", |thread| in_words(thread.counters.cpu_time_ns as f64))
        .table("Measuring threads")
}

/// Returns the value before the measured loop and, if it changed, the value after it.
fn then(before: &str, after: &str) -> Cell {
    if before == after {
        Cell::text(before)
    } else {
        Cell::text(format!("{before}, then {after}")).judged(false)
    }
}
