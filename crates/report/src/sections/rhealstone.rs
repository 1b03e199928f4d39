//! The six times of Rhealstone.

use super::measured::Measured;
use crate::document::{Block, Cell, Column, Line, Table};
use crate::sections::metrics;
use analysis::Analysis;
use analysis::rhealstone::{self, COMPONENTS, Rhealstone, Time};
use analysis::words;

pub(super) const SECTION: Measured = Measured {
    id: "rhealstone",
    title: "Rhealstone",
    introduction: "The six times of Kar and Porter (Rhealstone: A Real-Time Benchmarking Proposal, \
                   Dr. Dobb\u{2019}s Journal, February 1989) side by side: averages of each \
                   measurement\u{2019}s first row under equal conditions. The composite stands \
                   last: the mean of the six times, inverted. It hides which of the six is slow; deadlock \
                   break, which contains the time for which the low thread still holds its lock, \
                   weighs most.",
    // Interrupt latency has a section of its own.
    measurements: &[
        "task_switch",
        "preemption",
        "semaphore_shuffle",
        "deadlock_break",
        "mailbox_transfer",
    ],
    blocks,
};

fn blocks(Analysis { rhealstone: sets, .. }: &Analysis) -> Vec<Block> {
    let table = Table {
        caption: "Six times and their composite".to_owned(),
        columns: columns(),
        rows: sets.iter().map(line).collect(),
        note: note(sets),
        ..Table::default()
    };
    (!sets.is_empty()).then_some(Block::Table(table)).into_iter().collect()
}

fn columns() -> Vec<Column> {
    let mut columns: Vec<Column> = ["System", "Conditions"].map(Column::words).into();
    let times = COMPONENTS.iter().map(|(name, ..)| format!("{name}, µs"));
    columns.extend(times.map(|head| Column::numbers(&head)));
    columns.push(Column::numbers("Composite, Rhealstones/s"));
    columns
}

fn line(set: &Rhealstone) -> Line {
    let composite = match (set.rhealstones_per_second, &set.without_composite) {
        (Some(score), _) => Cell::number(words::grouped(score.round() as u64), score.to_string()),
        (None, why) => Cell::none(why.clone().unwrap_or_default()),
    };
    let mut cells = vec![Cell::text(&set.system), Cell::text(&set.conditions)];
    cells.extend(set.components.iter().map(time));
    cells.push(composite);
    Line::of(cells)
}

fn time(time: &Time) -> Cell {
    match (time.average_ns, &time.missing) {
        (Some(ns), _) => metrics::in_micros(ns),
        (None, Some(why)) if why != rhealstone::NOT_MEASURED => Cell::number("not available", why),
        (None, _) => Cell::number(rhealstone::NOT_MEASURED, ""),
    }
}

/// Why there is no composite, under each set of conditions that has none.
fn note(sets: &[Rhealstone]) -> String {
    let why = |set: &Rhealstone| {
        let missing = set.without_composite.as_ref()?;
        Some(format!("No composite for {} ({}): {missing}.", set.system, set.conditions))
    };
    sets.iter().filter_map(why).collect::<Vec<_>>().join(" ")
}
