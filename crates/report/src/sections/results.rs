//! All results in one table.

use analysis::quantiles::supported;
use analysis::survey::{Series, System, summarised};
use analysis::{benchmark, real_time, words};
use plan::Outcome;

use super::metrics::{self, in_words};
use crate::document::{Block, Cell, Column, Line, Section, Table};

const HEAD: [&str; 7] = ["measurement", "average", "p99", "p99.9", "worst", "missed", ""];

/// Returns a line for each row of each measurement, machine by machine; `None` without any.
pub(crate) fn results(systems: &[System]) -> Option<Section> {
    let mut rows = Vec::new();
    for system in systems {
        if systems.len() > 1 {
            rows.push(titled(&format!("[{}]", system.name)));
        }
        rows.extend(measured(system));
        let invalid = system.outcomes.iter().copied().filter(|o| !o.is_valid());
        rows.extend(
            summarised(&invalid.collect::<Vec<&Outcome>>()).iter().map(|runs| refused(runs)),
        );
    }
    let [first, figures @ .., last] = HEAD;
    let figures = figures.map(Column::numbers);
    let columns = [Column::words(first)].into_iter().chain(figures);
    let table =
        Table { columns: columns.chain([Column::words(last)]).collect(), rows, ..Table::default() };
    (!table.rows.is_empty()).then(|| Section {
        id: "results".to_owned(),
        blocks: vec![Block::Table(table)],
        ..Section::default()
    })
}

fn titled(title: &str) -> Line {
    let cell = Cell { more_columns: HEAD.len() - 1, ..Cell::text(title) };
    Line { class: "machine", cells: vec![cell] }
}

fn refused(runs: &str) -> Line {
    let runs = Cell { more_columns: HEAD.len() - 2, ..Cell::text(runs) };
    Line::of(vec![runs, Cell::text("INVALID")])
}

/// Returns the lines of a machine: a title for each measurement under equal conditions, then its
/// rows.
fn measured(system: &System) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut current = String::new();
    let others = |series: &&Series| !benchmark::shows(system, series);
    for series in system.series.iter().filter(others) {
        let peers: Vec<&Series> = system.of(&series.spec.measurement).collect();
        let title = format!("{} ({})", series.spec.measurement, series.conditions(&peers));
        if title != current {
            lines.push(titled(&title));
            current = title;
        }
        lines.push(line(series));
    }
    lines
}

fn line(series: &Series) -> Line {
    let mut label = format!("\u{a0}\u{a0}{}", words::label(series.label));
    if series.unavailable().is_some() {
        let mut cells = vec![Cell::default(); HEAD.len()];
        cells[0] = Cell::text(label);
        cells[HEAD.len() - 1] = Cell::text("n/a");
        return Line::of(cells);
    }
    if let Some(share) = series.share() {
        label += &format!(", {} of the transfer", words::percent(share));
    }
    if let Some([made, planned]) = series.cut_short() {
        let [made, planned] = [made, planned].map(words::grouped);
        label += &format!(", {made} of {planned} bursts");
    }
    let latency = series.latency.as_ref();
    let shown = |value: Option<f64>| value.map_or_else(|| Cell::none("too few samples"), in_words);
    let missed = match (real_time::misses(series), series.skipped()) {
        (Some(missed), _) => metrics::count(missed),
        (None, 0) => Cell::none("no deadline"),
        (None, skipped) => {
            let [skipped, due] = [skipped, series.due()].map(words::grouped);
            label += &format!(", {skipped} of {due} not made");
            Cell::none("no deadline")
        }
    };
    let cells = vec![
        Cell::text(label),
        shown(series.average_ns()),
        shown(latency.and_then(|l| supported(l, 0.99))),
        shown(latency.and_then(|l| supported(l, 0.999))),
        shown(latency.map(|l| l.max.value_ns as f64)),
        missed,
        Cell::text("valid"),
    ];
    Line::of(cells)
}
