//! Tables whose columns are systems.

use crate::document::{Cell, Column, Line};
use stats::Distribution;

use crate::sections::metrics;
use analysis::comparison::Case;
use analysis::survey::{Series, System};
use analysis::words;

/// The heads: words first, then a column of figures for each system.
pub(super) fn columns(heads: &[&str], systems: &[System]) -> Vec<Column> {
    let words = heads.iter().map(|head| Column::words(head));
    let systems = systems
        .iter()
        .map(|system| Column { numeric: true, ..Column::words(&breakable(&system.name)) });
    words.chain(systems).collect()
}

/// A name that a narrow column breaks at its parameters, and not at its hyphens.
pub(crate) fn breakable(name: &str) -> String {
    const ZERO_WIDTH_SPACE: &str = "\u{200b}";
    const WORD_JOINER: &str = "\u{2060}";
    name.replace('-', &format!("-{WORD_JOINER}"))
        .replace('+', &format!("{ZERO_WIDTH_SPACE}+"))
        .replace('=', &format!("={ZERO_WIDTH_SPACE}"))
}

/// Words at the head of a line.
pub(super) fn words_of<const N: usize>(words: [&str; N]) -> Vec<Cell> {
    let cell = |text: &str| Cell { class: "case", ..Cell::text(text) };
    words.map(cell).into()
}

/// A line: words first, then the figure of each system.
pub(super) fn line(words: Vec<Cell>, case: &Case, figure: impl Fn(&Series) -> Cell) -> Line {
    let figures = case.of.iter().map(|series| match series {
        Some(series) => figure(series),
        None => Cell::none("no valid run"),
    });
    Line::of(words.into_iter().chain(figures).collect())
}

/// A figure in microseconds that fits a narrow column, with the exact one beside it.
pub(super) fn brief(ns: f64) -> Cell {
    Cell::number(words::brief_micros(ns), metrics::in_micros(ns).title)
}

/// Average and worst in microseconds: `15.4 / 20.1`.
pub(super) fn average_and_worst(series: &Series) -> Cell {
    match (&series.latency, series.average_ns()) {
        (Some(latency), _) => of_distribution(latency),
        (None, Some(ns)) => Cell::number(
            format!("{} / –", words::brief_micros(ns)),
            "derived from other rows: no worst case of its own",
        ),
        (None, None) => Cell::none("no sample"),
    }
}

fn of_distribution(latency: &Distribution) -> Cell {
    pair(latency.mean_ns(), latency.max.value_ns as f64)
}

fn pair(average_ns: f64, worst_ns: f64) -> Cell {
    let [average, worst] = [average_ns, worst_ns].map(metrics::in_micros);
    Cell::number(
        format!("{} / {}", words::brief_micros(average_ns), words::brief_micros(worst_ns)),
        format!("average {}, worst {}", average.title, worst.title),
    )
}
