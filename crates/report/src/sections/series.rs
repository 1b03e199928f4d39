//! Tables of series.

use analysis::survey::{Series, System, distinct};
use analysis::words;
use plan::Fact;

use crate::document::{Cell, Column, Line, Table, TableOf};

#[derive(Clone, Copy)]
pub(crate) enum Metric {
    /// The head, and a function that returns the figure of a series.
    Own(&'static str, fn(&Series) -> Cell),
    /// A declared fact, whose name is the head, and a function that returns the figure of a series.
    Of(&'static Fact, fn(&Series, &Fact) -> Cell),
}

impl Metric {
    pub(crate) fn column(&self) -> Column {
        match self {
            Self::Own(head, _) => Column::numbers(head),
            Self::Of(fact, _) => Column::of_fact(fact),
        }
    }

    fn figure(&self, series: &Series) -> Cell {
        match self {
            Self::Own(_, figure) => figure(series),
            Self::Of(fact, figure) => figure(series, fact),
        }
    }
}

/// Returns a table of series: case, conditions, then the metrics; with a line above the series of
/// each machine if there are several machines.
pub(crate) fn of_series(
    caption: impl Into<String>,
    series: &[(&System, &Series)],
    metrics: &[Metric],
) -> Table {
    by_machine(of_all_series(caption, series, metrics), series)
}

/// Returns a table with a line per series and no lines for machines.
pub(crate) fn of_all_series(
    caption: impl Into<String>,
    series: &[(&System, &Series)],
    metrics: &[Metric],
) -> Table {
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let unavailable = |(_, series): &(&System, &Series)| {
        let needs = series.unavailable().filter(|_| !metrics.is_empty());
        needs.map(|needs| Cell::unavailable(needs, 1))
    };
    let table = TableOf::of(series)
        .column(Column::words("Case"), |(_, series)| case(series))
        .column(Column::words("Conditions"), |(_, series)| conditions(series, &peers))
        .unless(unavailable);
    let table = metrics.iter().fold(table, |table, metric| {
        table.column(metric.column(), |(_, series)| metric.figure(series))
    });
    table.table(caption, "", |_| false)
}

fn case(series: &Series) -> Cell {
    Cell { class: "case", ..Cell::text(words::label(series.label)) }
}

fn conditions(series: &Series, peers: &[&Series]) -> Cell {
    Cell { class: "conditions", ..Cell::text(series.conditions(peers)) }
}

/// Puts the name of each machine above its lines, if there are several machines.
pub(crate) fn by_machine(mut table: Table, series: &[(&System, &Series)]) -> Table {
    if distinct(series.iter().map(|(system, _)| &system.machine_id)) < 2 {
        return table;
    }
    let more_columns = table.columns.len() - 1;
    let mut named = "";
    let mut rows = Vec::new();
    for (line, (system, _)) in table.rows.into_iter().zip(series) {
        if named != system.machine_id {
            named = &system.machine_id;
            let name = Cell { more_columns, ..Cell::text(&system.name) };
            rows.push(Line { class: "machine", cells: vec![name] });
        }
        rows.push(line);
    }
    table.rows = rows;
    table
}

/// Returns the case, conditions and figures of a series.
pub(crate) fn cells_of(series: &Series, peers: &[&Series], metrics: &[Metric]) -> Vec<Cell> {
    let mut cells = vec![case(series), conditions(series, peers)];
    match series.unavailable() {
        Some(needs) if !metrics.is_empty() => cells.push(Cell::unavailable(needs, metrics.len())),
        _ => cells.extend(metrics.iter().map(|metric| metric.figure(series))),
    }
    cells
}
