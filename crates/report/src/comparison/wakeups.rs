//! The worst wake-ups of each system under each load, as a table in the terminal.

use comfy_table::{CellAlignment, ColumnConstraint};

use crate::render::terminal::{RULED, finished, table};
use analysis::comparison::{LIMIT_NS, head, loads_of, worst_under};
use analysis::survey::System;
use analysis::words;

/// Systems by loads; what is above the limit is marked.
pub(super) fn worst_wakeups(systems: &[System]) -> String {
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
