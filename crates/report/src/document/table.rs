//! Tables of typed cells.

use serde::Serialize;

use analysis::words;
use plan::{Fact, Unit};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Table {
    pub caption: String,
    /// Column heads; numeric columns are right-aligned. If empty, the table has no head.
    pub columns: Vec<Column>,
    pub rows: Vec<Line>,
    /// What the reader must know to understand the figures.
    pub note: String,
    /// Whether only the caption shows until the table is unfolded.
    pub folded: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Column {
    pub head: String,
    /// Unit of the figures, if they share one.
    pub unit: String,
    pub numeric: bool,
    /// Whether it is left out where there is little room.
    pub detail: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Line {
    /// `ours`, `published`, `machine` or empty.
    pub class: &'static str,
    /// Cells; together they span every column.
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Cell {
    pub text: String,
    /// The exact value, or the reason why it is missing.
    pub title: String,
    /// `n` (a number), `interval`, `case`, `conditions`, `command`, `unavailable`, `good`, `bad` or
    /// empty.
    pub class: &'static str,
    /// Number of additional columns that the cell spans.
    pub more_columns: usize,
}

const BAD: &str = "n bad";

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub fn number(text: impl Into<String>, exact: impl Into<String>) -> Self {
        Self { text: text.into(), title: exact.into(), class: "n", ..Self::default() }
    }

    /// Returns an empty cell with the reason.
    pub fn none(why: impl Into<String>) -> Self {
        Self::number("–", why)
    }

    /// Returns a cell that names what is missing, across `columns` columns.
    pub fn unavailable(needs: &str, columns: usize) -> Self {
        Self {
            text: words::unavailable(needs),
            class: "unavailable",
            more_columns: columns - 1,
            ..Self::default()
        }
    }

    /// Marks the figure as good or bad news.
    pub fn judged(self, good: bool) -> Self {
        Self { class: if good { "n good" } else { BAD }, ..self }
    }

    /// Marks the figure as bad news where `bad` is true; otherwise it is neutral.
    pub fn bad_if(self, bad: bool) -> Self {
        match bad {
            true => self.judged(false),
            false => self,
        }
    }

    pub fn is_bad(&self) -> bool {
        self.class == BAD
    }
}

impl Line {
    pub fn of(cells: Vec<Cell>) -> Self {
        Self { class: "", cells }
    }
}

impl Table {}

impl Column {
    /// Returns a column of text.
    pub fn words(head: &str) -> Self {
        Self { head: head.to_owned(), unit: String::new(), numeric: false, detail: false }
    }

    /// Returns the column of a declared fact: its name without the unit, and the unit in which
    /// tables show it.
    pub fn of_fact(fact: &Fact) -> Self {
        let (name, unit) = match fact.unit {
            Unit::Nanoseconds => (fact.name.trim_end_matches("_ns"), "µs"),
            _ => (fact.name, ""),
        };
        let (first, rest) = name.split_at(1);
        Self {
            unit: unit.to_owned(),
            ..Self::numbers(&(first.to_uppercase() + &rest.replace('_', " ")))
        }
    }

    /// Returns a column of numbers; in `head`, the unit follows a comma.
    pub fn numbers(head: &str) -> Self {
        let (head, unit) = head.split_once(", ").unwrap_or((head, ""));
        Self { head: head.to_owned(), unit: unit.to_owned(), numeric: true, detail: false }
    }
}
