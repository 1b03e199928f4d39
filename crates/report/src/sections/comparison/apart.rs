//! Times of what is no system like the others: in a section of their own.

use crate::document::{Block, Cell, Column, Line, Section, Table};
use crate::sections::metrics;
use analysis::quantiles::supported;
use analysis::times::Times;
use analysis::words;

pub(crate) fn shown(times: &Times) -> Section {
    let notes = times.words.iter().map(|(title, sentences)| Block::Notes {
        title: title.clone(),
        sentences: sentences.clone(),
    });
    Section::of(
        "apart",
        format!("Apart: {}", times.title),
        "These times stand apart from all others of this page, and in no ranking with \
                       them.",
        std::iter::once(Block::Table(table(times))).chain(notes).collect(),
    )
}

fn table(times: &Times) -> Table {
    let numbers = ["Average, µs", "p99, µs", "p99.9, µs", "Worst, µs", "Samples"];
    let quantile =
        |ns: Option<f64>| ns.map_or_else(|| Cell::none("too few samples"), metrics::in_micros);
    let line = |(name, times): &(String, stats::Distribution)| {
        Line::of(vec![
            Cell::text(name),
            metrics::in_micros(times.mean_ns()),
            quantile(supported(times, 0.99)),
            quantile(supported(times, 0.999)),
            metrics::in_micros(times.max.value_ns as f64),
            Cell::number(words::grouped(times.count()), ""),
        ])
    };
    Table {
        caption: times.title.clone(),
        columns: std::iter::once(Column::words("Test"))
            .chain(numbers.map(Column::numbers))
            .collect(),
        rows: times.rows.iter().map(line).collect(),
        note: String::new(),
        folded: false,
    }
}
