//! What sections of a comparison share: their definition, and tables whose columns are systems.

use analysis::comparison::{Case, Comparison, Worst, worst};
use analysis::survey::{Series, System};
use analysis::words;

use crate::document::{Block, Cell, Column, Form, TableOf};

/// The texts of a section and the function that makes its blocks.
pub(super) struct Topic {
    pub id: &'static str,
    pub title: &'static str,
    pub introduction: &'static str,
    pub blocks: fn(&Comparison) -> Vec<Block>,
}

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

pub(super) fn measured(case: &Case, place: usize, figure: impl Fn(&Series) -> Cell) -> Cell {
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

/// Returns a worst case in microseconds, with exact values as its title: `20.1`, or over draws `20.1–36.2`.
pub(super) fn brief_worst(worst: &Worst) -> Cell {
    brief_range(worst.range_ns(), worst.of_draws_ns.len())
}

/// Returns the worst cases of one or several draws, the shortest and the longest, in microseconds.
pub(super) fn brief_range(ends_ns: [f64; 2], draws: usize) -> Cell {
    let [shortest, longest] = ends_ns.map(brief);
    if draws < 2 {
        return longest;
    }
    let draws = words::counted(draws, "draw");
    let title = match shortest.title == longest.title {
        true => format!("{} in each of {draws}", longest.title),
        false => format!("{} to {} over {draws}", shortest.title, longest.title),
    };
    // A narrow column does not break within a range.
    let text = match shortest.text == longest.text {
        true => longest.text.clone(),
        false => format!("{}–\u{2060}{}", shortest.text, longest.text),
    };
    Cell { text, title, ..longest }
}

/// Returns average and worst case in microseconds: `15.4 / 20.1`, or over draws `15.4 / 20.1–36.2`.
pub(super) fn average_and_worst(series: &Series) -> Cell {
    match (worst([series]), series.average_ns()) {
        (Some(worst), Some(ns)) => {
            let [average, worst] = [brief(ns), brief_worst(&worst)];
            Cell::number(
                format!("{} / {}", average.text, worst.text),
                format!("average {}, worst {}", average.title, worst.title),
            )
        }
        (None, Some(ns)) => Cell::number(
            format!("{} / –", words::brief_micros(ns)),
            "derived from other rows, so it has no worst case",
        ),
        (_, None) => Cell::none("no sample"),
    }
}
