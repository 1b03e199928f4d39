//! The conditions of a run: what was asked, and what was found.

use crate::document::{Cell, Column, Table};
use analysis::words;
use plan::{Outcome, ThreadFound};

use super::metrics::{count, in_words};

/// Conditions by name, as asked and as found.
pub(super) fn listed(caption: &str, conditions: Vec<[String; 3]>) -> Table {
    let lines = conditions.into_iter();
    let lines = lines.map(|texts| texts.map(Cell::text).into());
    let columns = ["Condition", "Asked", "Found"].map(Column::words).into();
    Table::listing(caption, columns, lines)
}

/// Every measuring thread with what it was given and what happened to it.
pub(super) fn threads(outcome: &Outcome) -> Table {
    let mut columns: Vec<Column> =
        ["Thread", "Policy asked", "Policy found", "CPUs asked", "CPUs found"]
            .map(Column::words)
            .into();
    let numbers = ["Page faults", "Waited", "Preempted", "Migrations", "CPU time"];
    columns.extend(numbers.map(Column::numbers));
    let line = |thread: &ThreadFound| {
        let counters = &thread.counters;
        let faults = counters.minor_faults + counters.major_faults;
        let (minor, major) = (counters.minor_faults, counters.major_faults);
        vec![
            Cell::text(&thread.name),
            Cell::text(thread.asked_policy.to_string()),
            then(&thread.policy.to_string(), &thread.policy_at_end.to_string()),
            Cell::text(thread.asked_cpus.to_string()),
            then(&thread.cpus.to_string(), &thread.cpus_at_end.to_string()),
            Cell::number(words::grouped(faults), format!("{minor} minor, {major} major")),
            count(counters.voluntary_switches),
            count(counters.involuntary_switches),
            counters.migrations.map_or_else(|| Cell::none("not told by the kernel"), count),
            in_words(counters.cpu_time_ns as f64),
        ]
    };
    Table::listing("Measuring threads", columns, outcome.found.threads.iter().map(line))
}

/// A value before the measured loop and, where it changed, after it.
fn then(before: &str, after: &str) -> Cell {
    match before == after {
        true => Cell::text(before),
        false => Cell { class: "bad", ..Cell::text(format!("{before}, then {after}")) },
    }
}
