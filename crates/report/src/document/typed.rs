//! Tables as columns: each column is a head and a function of the row, so that no cell can end up
//! under the wrong head.

use std::ops::Range;

use super::table::{Cell, Column, Form, Line, Origin, Table};

type Function<'r, R, T> = Box<dyn Fn(&'r R) -> T + 'r>;

pub(crate) struct TableOf<'r, R> {
    pub rows: &'r [R],
    columns: Vec<Column>,
    cells: Vec<Function<'r, R, Cell>>,
    group: Function<'r, R, Option<String>>,
    heading: Function<'r, R, Option<String>>,
    /// The cell that replaces all those of `spanned`.
    spanning: Function<'r, R, Option<Cell>>,
    spanned: Range<usize>,
    origin: Function<'r, R, Origin>,
    note: String,
}

impl<'r, R> TableOf<'r, R> {
    pub fn of(rows: &'r [R]) -> Self {
        Self {
            rows,
            columns: Vec::new(),
            cells: Vec::new(),
            group: Box::new(|_| None),
            heading: Box::new(|_| None),
            spanning: Box::new(|_| None),
            spanned: 0..0,
            origin: Box::new(|_| Origin::Plain),
            note: String::new(),
        }
    }

    pub fn column<V: Into<Cell>>(mut self, column: Column, cell: impl Fn(&'r R) -> V + 'r) -> Self {
        self.columns.push(column);
        self.cells.push(Box::new(move |row| cell(row).into()));
        self
    }

    pub fn text<V: Into<Cell>>(self, head: &str, value: impl Fn(&'r R) -> V + 'r) -> Self {
        self.column(Column::words(head), value)
    }

    /// Adds a column of numbers; in `head`, the unit follows a comma.
    pub fn number<V: Into<Cell>>(self, head: &str, value: impl Fn(&'r R) -> V + 'r) -> Self {
        self.column(Column::numbers(head), move |row| value(row).into().below_numbers())
    }

    /// Adds a line above each group of rows, which names what they have in common.
    pub fn grouped(mut self, group: impl Fn(&'r R) -> String + 'r) -> Self {
        self.group = Box::new(move |row| Some(group(row)));
        self
    }

    pub fn heading(mut self, heading: impl Fn(&'r R) -> Option<String> + 'r) -> Self {
        self.heading = Box::new(heading);
        self
    }

    /// Where `cell` returns a cell, it replaces all columns that follow, up to `always`.
    pub fn unless(mut self, cell: impl Fn(&'r R) -> Option<Cell> + 'r) -> Self {
        self.spanned = self.columns.len()..usize::MAX;
        self.spanning = Box::new(cell);
        self
    }

    /// Columns that follow are never replaced.
    pub fn always(mut self) -> Self {
        self.spanned.end = self.columns.len();
        self
    }

    pub fn of_origin(mut self, origin: impl Fn(&'r R) -> Origin + 'r) -> Self {
        self.origin = Box::new(origin);
        self
    }

    /// Marks the last column as one to leave out where there is little room.
    pub fn detail(mut self) -> Self {
        self.columns.iter_mut().last().expect("there is a column").detail = true;
        self
    }

    /// Adds a column of valid runs; if some are INVALID, it shows how many and why the first one
    /// is.
    pub fn runs(self, runs: impl Fn(&R) -> (usize, usize, Option<&String>) + 'r) -> Self {
        self.number("Runs", move |row| match runs(row) {
            (valid, 0, _) => Cell::number(valid.to_string(), ""),
            (valid, invalid, why) => {
                let why = why.cloned().unwrap_or_default();
                Cell::number(format!("{valid}, {invalid} INVALID"), why).judged(false)
            }
        })
    }

    /// Changes the cells of the last column.
    fn last(mut self, change: impl Fn(&'r R, Cell) -> Cell + 'r) -> Self {
        let cell = self.cells.pop().expect("there is a column");
        self.cells.push(Box::new(move |row| change(row, cell(row))));
        self
    }

    /// Marks cells of the last column as good news where this is true, as bad news where it is
    /// false.
    pub fn judged(self, is_good: impl Fn(&R) -> Option<bool> + 'r) -> Self {
        self.last(move |row, cell| match is_good(row) {
            Some(is_good) => cell.judged(is_good),
            None => cell,
        })
    }

    pub fn bad_if(self, is_bad: impl Fn(&R) -> bool + 'r) -> Self {
        self.last(move |row, cell| cell.bad_if(is_bad(row)))
    }

    pub fn of_form(self, form: Form) -> Self {
        self.last(move |_, cell| cell.of_form(form))
    }

    pub fn marked(mut self, is_marked: impl Fn(&R) -> bool + 'r) -> Self {
        let other = self.origin;
        self.origin = Box::new(move |row| if is_marked(row) { Origin::Ours } else { other(row) });
        self
    }

    pub fn each<I>(
        self,
        items: impl IntoIterator<Item = I>,
        add: impl FnMut(Self, I) -> Self,
    ) -> Self {
        items.into_iter().fold(self, add)
    }

    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    pub fn table(self, caption: impl Into<String>) -> Table {
        let mut lines = Vec::new();
        let mut current = None;
        for row in self.rows {
            let group = (self.group)(row);
            if let Some(group) = group.as_ref().filter(|_| group != current) {
                lines.push(self.across(group));
            }
            current = group;
            lines.push(match (self.heading)(row) {
                Some(heading) => self.across(&heading),
                None => Line { origin: (self.origin)(row), cells: self.cells(row) },
            });
        }
        let (caption, columns, note) = (caption.into(), self.columns, self.note);
        Table { caption, columns, rows: lines, note, folded: false }
    }

    fn across(&self, text: &str) -> Line {
        let more_columns = self.columns.len() - 1;
        Line { origin: Origin::Group, cells: vec![Cell { more_columns, ..Cell::text(text) }] }
    }

    fn cells(&self, row: &'r R) -> Vec<Cell> {
        let shown = |cells: &[Function<'r, R, Cell>]| -> Vec<Cell> {
            cells.iter().map(|cell| cell(row)).collect()
        };
        let Some(cell) = (self.spanning)(row) else { return shown(&self.cells) };
        let (start, end) = (self.spanned.start, self.spanned.end.min(self.cells.len()));
        let cell = Cell { more_columns: end.saturating_sub(start + 1), ..cell };
        [shown(&self.cells[..start]), vec![cell], shown(&self.cells[end..])].concat()
    }
}
