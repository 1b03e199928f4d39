//! Tables whose columns are systems.

use crate::document::{Cell, Column, Form, TableOf};

use analysis::comparison::Case;
use analysis::survey::{Series, System};
use analysis::words;

impl<'r, R> TableOf<'r, R> {
    pub(super) fn systems<V: Into<Cell>>(
        self,
        systems: &[System],
        value: impl Fn(usize, &'r R) -> V + Copy + 'r,
    ) -> Self {
        self.each(systems.iter().enumerate(), |table, (place, system)| {
            let column = Column { numeric: true, ..Column::words(&breakable(&system.name)) };
            table.column(column, move |row| value(place, row))
        })
    }
}

pub(super) fn measured(case: &Case, place: usize, figure: fn(&Series) -> Cell) -> Cell {
    Cell::or(case.of[place], "no valid run", figure)
}

/// Changes a name so that a narrow column breaks it at its parameters, not at its hyphens.
pub(crate) fn breakable(name: &str) -> String {
    const ZERO_WIDTH_SPACE: &str = "\u{200b}";
    const WORD_JOINER: &str = "\u{2060}";
    name.replace('-', &format!("-{WORD_JOINER}"))
        .replace('+', &format!("{ZERO_WIDTH_SPACE}+"))
        .replace('=', &format!("={ZERO_WIDTH_SPACE}"))
}

pub(super) fn head_of_line(text: impl Into<String>) -> Cell {
    Cell::text(text).of_form(Form::Case)
}

/// Returns a figure in microseconds that fits a narrow column, with the exact value as its title.
pub(super) fn brief(ns: f64) -> Cell {
    Cell { text: words::brief_micros(ns), ..Cell::time(ns) }
}

/// Returns average and worst case in microseconds: `15.4 / 20.1`.
pub(super) fn average_and_worst(series: &Series) -> Cell {
    match (&series.latency, series.average_ns()) {
        (Some(latency), _) => pair(latency.mean_ns(), latency.max.value_ns as f64),
        (None, Some(ns)) => Cell::number(
            format!("{} / –", words::brief_micros(ns)),
            "derived from other rows, so it has no worst case",
        ),
        (None, None) => Cell::none("no sample"),
    }
}

fn pair(average_ns: f64, worst_ns: f64) -> Cell {
    let [average, worst] = [average_ns, worst_ns].map(Cell::micros);
    Cell::number(
        format!("{} / {}", words::brief_micros(average_ns), words::brief_micros(worst_ns)),
        format!("average {}, worst {}", average.title, worst.title),
    )
}
