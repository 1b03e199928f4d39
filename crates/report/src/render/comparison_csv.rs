//! The contrasts as comma-separated values.

use serde_json::{Value, json as value};

use crate::render::csv::{cell, written};
use analysis::comparison::contrasts::figure;
use analysis::comparison::{Comparison, Pair, Row};

/// What tells lines apart.
const WHICH: [&str; 7] = [
    "reference_system",
    "other_system",
    "measurement",
    "row",
    "conditions",
    "reference_runs",
    "other_runs",
];
/// The names of a figure's fields in the JSON.
const FIGURE: [&str; 10] = [
    "figure",
    "unit",
    "reference",
    "other",
    "threshold_ns",
    "ratio",
    "lower",
    "upper",
    "p",
    "shown",
];

/// One line a figure of a row, under a line of names.
pub(crate) fn contrasts(comparison: &Comparison) -> String {
    let names: Vec<&str> = WHICH.into_iter().chain(FIGURE).collect();
    let rows = comparison.contrasts.pairs.iter();
    let rows = rows.flat_map(|pair| pair.rows.iter().map(move |row| (pair, row)));
    let lines = rows.flat_map(|(pair, row)| {
        let which = which(pair, row);
        row.compared.iter().map(move |one| {
            let figure = figure(one);
            let figure = FIGURE.iter().map(|name| cell(figure.get(*name)));
            let which = which.iter().map(|value| cell(Some(value)));
            which.chain(figure).collect()
        })
    });
    written(&names, lines)
}

fn which(pair: &Pair, row: &Row) -> [Value; WHICH.len()] {
    [
        value!(pair.names[0]),
        value!(pair.names[1]),
        value!(row.measurement),
        value!(row.label),
        value!(row.conditions),
        value!(row.runs[0]),
        value!(row.runs[1]),
    ]
}
