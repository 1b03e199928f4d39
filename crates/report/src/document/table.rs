//! Tables of typed cells.

use std::iter::{once, repeat_n};

use serde::Serialize;

use analysis::effect::Effect;
use analysis::words;
use record::{Axis, Fact, Unit};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Table {
    pub caption: String,
    /// Column heads; numeric columns are right-aligned. If empty, the table has no head.
    pub columns: Vec<Column>,
    pub rows: Vec<Line>,
    pub note: String,
    /// Whether only the caption shows until the table is unfolded.
    pub folded: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Column {
    pub head: String,
    pub unit: String,
    pub numeric: bool,
    /// Whether it is left out where there is little room.
    pub detail: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Line {
    pub origin: Origin,
    /// Cells; together they span every column.
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    #[default]
    Plain,
    /// Measured here, in a table that also has other figures; or important.
    Ours,
    Published,
    Group,
}

/// What the text of a cell is, which decides how it is aligned and broken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    #[default]
    Text,
    Number,
    /// A figure and its interval, between which the line may break.
    Interval,
    Case,
    Conditions,
    Command,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mood {
    #[default]
    Neutral,
    Good,
    Bad,
    /// Not a result of these runs.
    Detail,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Cell {
    pub text: String,
    /// The exact value, or the reason why it is missing.
    pub title: String,
    pub form: Form,
    pub mood: Mood,
    pub more_columns: usize,
    /// What the text was made from: a number and its unit, `ns` for all times.
    #[serde(skip)]
    pub value: Option<(f64, &'static str)>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

fn exact(ns: f64) -> String {
    let sign = if ns < 0.0 { "−" } else { "" };
    format!("{sign}{} ns", words::grouped(ns.abs().round() as u64))
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub fn number(text: impl Into<String>, exact: impl Into<String>) -> Self {
        Self::text(text).titled(exact).of_form(Form::Number)
    }

    pub fn count(count: u64) -> Self {
        Self::number(words::grouped(count), "").of_value(count as f64, "")
    }

    /// Formats nanoseconds for a column of microseconds; the exact ones are the title.
    pub fn micros(ns: f64) -> Self {
        Self { text: words::micros(ns), ..Self::time(ns) }
    }

    /// Formats nanoseconds in a suitable unit; the exact ones are the title.
    pub fn time(ns: f64) -> Self {
        Self::number(words::time(ns), exact(ns)).of_value(ns.round(), "ns")
    }

    /// Formats a number of a unit; its exact value is the title.
    pub fn figure(number: f64, in_words: fn(f64) -> String, unit: &'static str) -> Self {
        Self::number(in_words(number), number.to_string()).of_value(number, unit)
    }

    pub fn quantity(number: f64) -> Self {
        Self::figure(number, words::quantity, "")
    }

    pub fn share(share: f64) -> Self {
        Self::figure(share, words::percent, "").of_value(share * 100.0, "%")
    }

    /// Formats a place on an axis without its unit.
    pub fn place(axis: &Axis, place: u64) -> Self {
        Self::number(words::bare(axis, place), "").of_value(axis.number(place), "")
    }

    pub fn estimate(ends: [f64; 3], in_words: fn(f64) -> String) -> Self {
        let [lower, value, upper] = ends.map(in_words);
        Self::number(format!("{value} ({lower} to {upper})"), "")
    }

    pub fn ratio(effect: Effect) -> Self {
        let cell = Self::estimate(effect.times, words::times);
        if effect.is_shown { cell.judged(effect.is_better()) } else { cell }
    }

    pub fn none(why: impl Into<String>) -> Self {
        Self::number("–", why)
    }

    pub fn or<T>(value: Option<T>, why: impl Into<String>, of: impl FnOnce(T) -> Self) -> Self {
        value.map_or_else(|| Self::none(why), of)
    }

    /// Returns a cell that names what is missing, across `columns` columns.
    pub fn unavailable(needs: &str, columns: usize) -> Self {
        let cell = Self::text(words::unavailable(needs)).of_mood(Mood::Detail);
        Self { more_columns: columns - 1, ..cell }
    }

    pub fn interval(text: impl Into<String>, exact: impl Into<String>) -> Self {
        Self::number(text, exact).of_form(Form::Interval)
    }

    pub fn of_value(self, number: f64, unit: &'static str) -> Self {
        Self { value: Some((number, unit)), ..self }
    }

    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    pub fn of_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Aligns words as the numbers of their column.
    pub fn below_numbers(self) -> Self {
        let form = if self.form == Form::Text { Form::Number } else { self.form };
        self.of_form(form)
    }

    pub fn of_mood(self, mood: Mood) -> Self {
        Self { mood, ..self }
    }

    pub fn judged(self, good: bool) -> Self {
        self.of_mood(if good { Mood::Good } else { Mood::Bad })
    }

    pub fn bad_if(self, bad: bool) -> Self {
        if bad { self.judged(false) } else { self }
    }

    pub fn is_bad(&self) -> bool {
        self.mood == Mood::Bad && self.form == Form::Number
    }
}

impl Line {
    /// Returns the cell of each column; `None` where another cell spans it.
    pub fn spread(&self) -> impl Iterator<Item = Option<&Cell>> {
        let spanned = |cell: &Cell| repeat_n(None, cell.more_columns);
        self.cells.iter().flat_map(move |cell| once(Some(cell)).chain(spanned(cell)))
    }
}

impl Table {
    /// Returns a table without heads: a line for each name and its texts, the last of which takes
    /// the rest of the line.
    pub fn without_heads<'l>(lines: impl Iterator<Item = (&'l str, &'l [String])> + Clone) -> Self {
        let most = lines.clone().map(|(_, texts)| texts.len()).max().unwrap_or_default();
        let line = |(name, texts): (&str, &'l [String])| {
            let mut cells: Vec<Cell> = [name].map(Cell::text).into();
            cells.extend(texts.iter().map(Cell::text));
            cells.last_mut().expect("the name is a cell").more_columns = most - texts.len();
            Line { cells, ..Line::default() }
        };
        Self { rows: lines.map(line).collect(), ..Self::default() }
    }
}

impl Column {
    pub fn words(head: &str) -> Self {
        Self { head: head.to_owned(), ..Self::default() }
    }

    /// Returns the column of a declared fact: its name without the unit, and the unit in which
    /// tables show it.
    pub fn of_fact(fact: &Fact) -> Self {
        let (name, unit) = match fact.unit {
            Unit::Nanoseconds => (fact.name.trim_end_matches("_ns"), "µs"),
            _ => (fact.name, ""),
        };
        let head = words::capital(&name.replace('_', " "));
        Self { unit: unit.to_owned(), ..Self::numbers(&head) }
    }

    /// Returns a column of numbers; in `head`, the unit follows a comma.
    pub fn numbers(head: &str) -> Self {
        let (head, unit) = head.split_once(", ").unwrap_or((head, ""));
        Self { numeric: true, unit: unit.to_owned(), ..Self::words(head) }
    }
}
