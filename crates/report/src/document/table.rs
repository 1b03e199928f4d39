//! Tables of typed cells.

use serde::Serialize;

use analysis::words;
use plan::{Fact, Unit};

/// A table with its heading.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Table {
    /// What the table shows.
    pub caption: String,
    /// Column heads; a numeric column stands right. Without any the lines have no head.
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
    /// Whether it is left out where there is little room.
    pub detail: bool,
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
    /// `n` (a number), `interval`, `case`, `conditions`, `command`, `unavailable`, `good`, `bad` or
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

const BAD: &str = "n bad";

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A figure.
    pub fn number(text: impl Into<String>, exact: impl Into<String>) -> Self {
        Self { text: text.into(), title: exact.into(), class: "n", ..Self::default() }
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
        Self { class: if good { "n good" } else { BAD }, ..self }
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

impl Line {
    /// A plain line.
    pub fn of(cells: Vec<Cell>) -> Self {
        Self { class: "", cells }
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
            rows: rows.map(Line::of).collect(),
            ..Self::default()
        }
    }
}

impl Column {
    /// A column of words.
    pub fn words(head: &str) -> Self {
        Self { head: head.to_owned(), unit: String::new(), numeric: false, detail: false }
    }

    /// The same, left out where there is little room.
    pub fn in_detail(self) -> Self {
        Self { detail: true, ..self }
    }

    /// A column of what a declared fact tells: its name without the unit, and the unit that
    /// tables show it in.
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

    /// A column of numbers; its unit follows the head after a comma.
    pub fn numbers(head: &str) -> Self {
        let (head, unit) = head.split_once(", ").unwrap_or((head, ""));
        Self { head: head.to_owned(), unit: unit.to_owned(), numeric: true, detail: false }
    }
}
