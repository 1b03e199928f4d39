//! The six times of Rhealstone.

use analysis::rhealstone::{self, COMPONENTS, Rhealstone, Time};
use analysis::{Analysis, words};

use crate::document::{Block, Cell, TableOf};
use crate::sections::measured::Measured;

pub(super) const SECTION: Measured = Measured {
    id: "rhealstone",
    title: "Rhealstone",
    introduction: "The six times of Kar and Porter (Rhealstone: A Real-Time Benchmarking Proposal, \
                   Dr. Dobb\u{2019}s Journal, February 1989) side by side: averages of each \
                   measurement\u{2019}s first row under equal conditions. The composite comes \
                   last: the mean of the six times, inverted. It hides which of the six is slow; deadlock \
                   break, which contains the time for which the low thread still holds its lock, \
                   weighs most.",
    // Interrupt latency has a separate section.
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
    let table = TableOf::of(sets)
        .text("System", |set| &set.system)
        .text("Conditions", |set| &set.conditions)
        .each(COMPONENTS.iter().enumerate(), |table, (place, (name, ..))| {
            table.number(&format!("{name}, µs"), move |set| time(&set.components[place]))
        })
        .number("Composite, Rhealstones/s", |set| {
            let why = set.without_composite.clone().unwrap_or_default();
            Cell::or(set.rhealstones_per_second, why, |score| {
                Cell::figure(score, |score| words::grouped(score.round() as u64), "")
            })
        })
        .note(note(sets))
        .table("Six times and their composite");
    Block::Table(table).filled().into_iter().collect()
}

fn time(time: &Time) -> Cell {
    match (time.average_ns, &time.missing) {
        (Some(ns), _) => Cell::micros(ns),
        (None, Some(why)) if why != rhealstone::NOT_MEASURED => Cell::number("not available", why),
        (None, _) => Cell::number(rhealstone::NOT_MEASURED, ""),
    }
}

/// Explains why there is no composite, for each set of conditions without one.
fn note(sets: &[Rhealstone]) -> String {
    let why = |set: &Rhealstone| {
        let missing = set.without_composite.as_ref()?;
        Some(format!("No composite for {} ({}): {missing}.", set.system, set.conditions))
    };
    sets.iter().filter_map(why).collect::<Vec<_>>().join(" ")
}
