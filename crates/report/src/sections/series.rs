//! Tables of series.

use analysis::survey::{Series, System, distinct};
use analysis::words;
use plan::Fact;

use crate::document::{Cell, Column, Line, Table};

/// A column of figures.
#[derive(Clone, Copy)]
pub(crate) enum Metric {
    /// Its head, and the figure of a series.
    Own(&'static str, fn(&Series) -> Cell),
    /// A declared fact, whose name is the head, and what a series tells of it.
    Of(&'static Fact, fn(&Series, &Fact) -> Cell),
}

impl Metric {
    /// The column's head.
    pub(crate) fn column(&self) -> Column {
        match self {
            Self::Own(head, _) => Column::numbers(head),
            Self::Of(fact, _) => Column::of_fact(fact),
        }
    }

    fn figure(&self, series: &Series) -> Cell {
        match self {
            Self::Own(_, figure) => figure(series),
            Self::Of(fact, told) => told(series, fact),
        }
    }
}

/// A table of series: case, conditions, then the metrics; with a line above
/// each machine's where there are several.
pub(crate) fn of_series(
    caption: impl Into<String>,
    series: &[(&System, &Series)],
    metrics: &[Metric],
) -> Table {
    by_machine(of_all_series(caption, series, metrics), series)
}

/// The same with one line for each series and none for machines.
pub(crate) fn of_all_series(
    caption: impl Into<String>,
    series: &[(&System, &Series)],
    metrics: &[Metric],
) -> Table {
    let mut columns: Vec<Column> = ["Case", "Conditions"].map(Column::words).into();
    columns.extend(metrics.iter().map(Metric::column));
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let line = |(_, series): &(&System, &Series)| Line::of(cells_of(series, &peers, metrics));
    Table {
        caption: caption.into(),
        columns,
        rows: series.iter().map(line).collect(),
        ..Table::default()
    }
}

/// Puts the name of each machine above its lines, where there are several.
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

/// Case, conditions and figures of a series.
pub(crate) fn cells_of(series: &Series, peers: &[&Series], metrics: &[Metric]) -> Vec<Cell> {
    let case = Cell { class: "case", ..Cell::text(words::label(series.label)) };
    let conditions = Cell { class: "conditions", ..Cell::text(series.conditions(peers)) };
    let mut cells = vec![case, conditions];
    match series.unavailable() {
        Some(needs) if !metrics.is_empty() => cells.push(Cell::unavailable(needs, metrics.len())),
        _ => cells.extend(metrics.iter().map(|metric| metric.figure(series))),
    }
    cells
}
