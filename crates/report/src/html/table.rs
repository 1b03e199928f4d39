//! Tables as data for the templates.

use serde::Serialize;

use analysis::survey::{Series, System, distinct};
use analysis::words;

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
    /// Whether only its caption shows until somebody asks for more.
    pub folded: bool,
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
    /// `ours`, `published`, `machine` or empty.
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
    /// `number`, `interval`, `case`, `conditions`, `command`, `unavailable`, `good`, `bad` or
    /// empty.
    pub class: &'static str,
    /// How many columns it takes beyond its own.
    pub more_columns: usize,
    /// Words that are each news of their own, in the place of the text.
    pub parts: Vec<Part>,
}

/// A part of a cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Part {
    /// What it says.
    pub text: &'static str,
    /// `good` or `bad`.
    pub class: &'static str,
}

const BAD: &str = "number bad";

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

    /// What is missing, over so many columns.
    pub fn unavailable(needs: &str, columns: usize) -> Self {
        Self {
            text: words::unavailable(needs),
            class: "unavailable",
            more_columns: columns - 1,
            ..Self::default()
        }
    }

    /// A figure that is good or bad news.
    pub fn judged(self, good: bool) -> Self {
        Self {
            class: if good { "number good" } else { BAD },
            ..self
        }
    }

    /// A figure that is bad news, or says too little to be good news.
    pub fn bad_if(self, bad: bool) -> Self {
        match bad {
            true => self.judged(false),
            false => self,
        }
    }

    /// Whether it is a figure that is bad news.
    pub fn is_bad(&self) -> bool {
        self.class == BAD
    }
}

impl Table {
    /// A table of plain lines.
    pub fn listing(
        caption: &str,
        columns: Vec<Column>,
        rows: impl Iterator<Item = Vec<Cell>>,
    ) -> Self {
        Self {
            caption: caption.to_owned(),
            columns,
            rows: rows.map(|cells| Line { class: "", cells }).collect(),
            ..Self::default()
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
    columns.extend(metrics.iter().map(|(head, _)| Column::numbers(head)));
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let line = |(_, series): &(&System, &Series)| Line {
        class: "",
        cells: cells(series, &peers, metrics),
    };
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
            let name = Cell {
                more_columns,
                ..Cell::text(&system.name)
            };
            rows.push(Line {
                class: "machine",
                cells: vec![name],
            });
        }
        rows.push(line);
    }
    table.rows = rows;
    table
}

/// Case, conditions and figures of a series.
pub(crate) fn cells(series: &Series, peers: &[&Series], metrics: &[Metric]) -> Vec<Cell> {
    let case = Cell {
        class: "case",
        ..Cell::text(words::label(series.label))
    };
    let conditions = Cell {
        class: "conditions",
        ..Cell::text(series.conditions(peers))
    };
    let mut cells = vec![case, conditions];
    match series.unavailable() {
        Some(needs) if !metrics.is_empty() => cells.push(Cell::unavailable(needs, metrics.len())),
        _ => cells.extend(metrics.iter().map(|(_, figure)| figure(series))),
    }
    cells
}
