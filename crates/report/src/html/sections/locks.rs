//! Locks between threads of different priority.

use super::{Block, Section};
use crate::html::metrics;
use crate::html::table::{self, Cell, Metric};
use crate::survey::{Series, System, on_all};

pub(super) const SECTION: Section = Section {
    id: "locks",
    title: "Priority inversion",
    introduction: "A low-priority thread holds the lock, a high one wants it, and a medium one \
                   keeps the low one from running. A lock that prevents this lets the high thread \
                   in while the medium one still wants to run.",
    measurements: &["priority_inversion", "deadlock_break"],
    blocks,
};

const INVERSION: &[Metric] = &[
    ("Held back by medium", |series| {
        match series.any("vulnerable") {
            Some(true) => Cell::number("yes", "").judged(false),
            Some(false) => Cell::number("no", "").judged(true),
            None => Cell::none("not told"),
        }
    }),
    ("High waited, µs", |series| mean(series, "blocked_ns")),
    ("Worst wait, µs", |series| {
        let worst = series.latency.as_ref().map(|l| l.max.value_ns as f64);
        worst.map_or_else(|| Cell::none("no sample"), metrics::in_micros)
    }),
    ("Medium ran, µs", |series| mean(series, "medium_run_ns")),
    ("Attempts", |series| metrics::count(series.executed())),
];

const BREAK: &[Metric] = &[
    ("Break, µs", |series| mean(series, "break_ns")),
    ("Contended, µs", |series| {
        let latency = series.latency.as_ref().map(stats::Distribution::mean_ns);
        latency.map_or_else(|| Cell::none("no sample"), metrics::in_micros)
    }),
    ("Uncontended, µs", |series| {
        mean(series, "uncontended_mean_ns")
    }),
    metrics::WORST,
    ("Attempts", |series| metrics::count(series.executed())),
];

fn mean(series: &Series, fact: &str) -> Cell {
    let mean = series.mean(fact);
    mean.map_or_else(|| Cell::none("not told"), metrics::in_micros)
}

fn blocks(systems: &[System]) -> Vec<Block> {
    let tables = [
        (
            "priority_inversion",
            "Is the high-priority thread held back for as long as the medium one runs?",
            INVERSION,
        ),
        (
            "deadlock_break",
            "Deadlock break: from the high thread's wish to its grant, contended minus uncontended",
            BREAK,
        ),
    ];
    let block = |(measurement, caption, metrics)| {
        let series = on_all(systems, measurement);
        (!series.is_empty()).then(|| Block::Table(table::of_series(caption, &series, metrics)))
    };
    tables.into_iter().filter_map(block).collect()
}
