//! Tables as data for the templates.

use serde::Serialize;

use crate::survey::{Series, System};
use crate::words;

/// A table with its heading.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Table {
    /// What the table shows.
    pub caption: String,
    /// Column heads; a numeric column stands right.
    pub columns: Vec<Column>,
    /// Lines.
    pub rows: Vec<Line>,
    /// What a reader must know of the figures.
    pub note: String,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Column {
    /// Text of the head.
    pub head: String,
    /// Unit of the figures, where they share one.
    pub unit: String,
    /// Whether it holds numbers.
    pub numeric: bool,
}

/// One line.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Line {
    /// `ours`, `published` or empty.
    pub class: &'static str,
    /// Cells; together they span every column.
    pub cells: Vec<Cell>,
}

/// One cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Cell {
    /// What stands in it.
    pub text: String,
    /// The exact figure, or why there is none.
    pub title: String,
    /// `number`, `case`, `conditions`, `good`, `bad` or empty.
    pub class: &'static str,
    /// How many columns it takes beyond its own.
    pub more_columns: usize,
}

/// A column of figures: its head, and the figure of a series.
pub(crate) type Metric = (&'static str, fn(&Series) -> Cell);

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A figure.
    pub fn number(text: impl Into<String>, exact: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            title: exact.into(),
            class: "number",
            ..Self::default()
        }
    }

    /// No figure, and why.
    pub fn none(why: impl Into<String>) -> Self {
        Self::number("–", why)
    }

    /// A figure that is good or bad news.
    pub fn judged(self, good: bool) -> Self {
        Self {
            class: if good { "number good" } else { "number bad" },
            ..self
        }
    }
}

impl Column {
    /// A column of words.
    pub fn words(head: &str) -> Self {
        Self {
            head: head.to_owned(),
            unit: String::new(),
            numeric: false,
        }
    }

    /// A column of numbers; its unit follows the head after a comma.
    pub fn numbers(head: &str) -> Self {
        let (head, unit) = head.split_once(", ").unwrap_or((head, ""));
        Self {
            head: head.to_owned(),
            unit: unit.to_owned(),
            numeric: true,
        }
    }
}

/// A table of series: machine where there are several, case, conditions, then
/// the metrics.
pub(crate) fn of_series(
    caption: impl Into<String>,
    series: &[(&System, &Series)],
    metrics: &[Metric],
) -> Table {
    let first = &series.first();
    let several = series
        .iter()
        .any(|(system, _)| first.is_some_and(|(other, _)| other.machine_id != system.machine_id));
    let mut columns: Vec<Column> = Vec::new();
    if several {
        columns.push(Column::words("Machine"));
    }
    columns.extend(["Case", "Conditions"].map(Column::words));
    columns.extend(metrics.iter().map(|(head, _)| Column::numbers(head)));
    Table {
        caption: caption.into(),
        columns,
        rows: lines(series, several, metrics, ""),
        note: String::new(),
    }
}

/// The lines of such a table.
pub(crate) fn lines(
    series: &[(&System, &Series)],
    with_machine: bool,
    metrics: &[Metric],
    class: &'static str,
) -> Vec<Line> {
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let line = |(system, series): &(&System, &Series)| {
        let mut cells = Vec::new();
        if with_machine {
            cells.push(Cell::text(&system.name));
        }
        cells.push(Cell {
            class: "case",
            ..Cell::text(words::label(series.label))
        });
        cells.push(Cell {
            class: "conditions",
            ..Cell::text(series.conditions(&peers))
        });
        match series.unavailable() {
            Some(needs) => cells.push(Cell {
                text: format!("not available: {needs}"),
                more_columns: metrics.len() - 1,
                ..Cell::default()
            }),
            None => cells.extend(metrics.iter().map(|(_, figure)| figure(series))),
        }
        Line { class, cells }
    };
    series.iter().map(line).collect()
}
