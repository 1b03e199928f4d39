//! The comparison in the terminal: the worst wake-ups as a table, then words.

use comfy_table::{CellAlignment, ColumnConstraint};

use crate::render::terminal::{RULED, block, finished, table};
use analysis::comparison::{Comparison, NOT_CARRIED, answer};
use analysis::comparison::{LIMIT_NS, head, loads_of, worst_under};
use analysis::survey::System;
use analysis::{clock, samples, words};

const APART: &str = "Apart from all of them, and in no ranking with them:";

pub(super) fn terminal(comparison: &Comparison) -> String {
    let systems = &comparison.systems;
    let not_carried = NOT_CARRIED.iter().filter(|_| comparison.is_of_lab());
    let not_carried = not_carried.map(|(load, why)| format!("{load}: {why}."));
    let blocks = [
        ("ERROR", samples::conflicts(comparison.outcomes())),
        ("WARNING", Vec::from_iter(clock::differ(systems))),
        ("The answer", answer(systems)),
        ("Loads that the lab cannot carry", not_carried.collect()),
        (clock::TITLE, clock::in_short(systems)),
    ];
    let blocks = blocks.iter().map(|(title, words)| block(title, words));
    let apart = comparison
        .apart
        .map(|times| format!("\n{APART}\n\n{}", crate::times::times(times)));
    worst_wakeups(systems) + &blocks.collect::<String>() + &apart.unwrap_or_default()
}

/// Systems by loads; what is above the limit is marked.
fn worst_wakeups(systems: &[System]) -> String {
    let loads = loads_of(systems);
    if loads.is_empty() {
        return String::new();
    }
    let mut table = table(RULED);
    let heads = loads.iter().map(|load| head(load));
    table.set_header(["under load"].into_iter().chain(heads));
    for system in systems {
        let worst = loads.iter().map(|load| match worst_under(system, load) {
            Some(ns) if ns > LIMIT_NS => format!("!{}", words::brief_micros(ns)),
            Some(ns) => words::brief_micros(ns),
            None => "–".to_owned(),
        });
        table.add_row([system.name.clone()].into_iter().chain(worst));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    format!(
        "Worst wake-up of a real-time thread that asks for 1 ms, in µs; ! is above {}\n{}\n",
        words::time(LIMIT_NS),
        finished(&table)
    )
}
