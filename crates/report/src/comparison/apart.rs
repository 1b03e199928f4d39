//! Times that cannot be compared with others, in a separate section.

use analysis::quantiles::supported;
use analysis::times::Times;

use crate::document::{Block, Cell, Section, Table, TableOf};

pub(crate) fn shown(times: &Times) -> Section {
    let notes = times.words.iter().map(|(title, sentences)| Block::Notes {
        title: title.clone(),
        sentences: sentences.clone(),
    });
    Section::of(
        "apart",
        format!("Apart: {}", times.title),
        "These times do not compare with any others of this page.",
        std::iter::once(Block::Table(table(times))).chain(notes).collect(),
    )
}

fn table(times: &Times) -> Table {
    let quantile = |ns: Option<f64>| Cell::or(ns, "too few samples", Cell::micros);
    TableOf::of(&times.rows)
        .text("Test", |(name, _)| name)
        .number("Average, µs", |(_, times)| Cell::micros(times.mean_ns()))
        .number("p99, µs", move |(_, times)| quantile(supported(times, 0.99)))
        .number("p99.9, µs", move |(_, times)| quantile(supported(times, 0.999)))
        .number("Worst, µs", |(_, times)| Cell::micros(times.max.value_ns as f64))
        .number("Samples", |(_, times)| Cell::count(times.count()))
        .table(&times.title)
}
