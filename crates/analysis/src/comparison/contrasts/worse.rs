//! What is shown to be worse than in the reference, for scripts.

use super::pairs::{Contrasts, Pair};
use super::row::{Compared, Row};
use crate::words;

/// A sentence for each row that is shown to be worse, in a figure or several.
#[must_use]
pub fn worse(contrasts: &Contrasts) -> Vec<String> {
    let of_pair = |pair: &'_ Pair| -> Vec<String> {
        let rows = pair.rows.iter();
        rows.filter_map(|row| sentence(pair, row)).collect()
    };
    contrasts.pairs.iter().flat_map(of_pair).collect()
}

/// `busy against idle: wakeup cpu 1, p99_ns 1.31 times (fifo:80)`.
fn sentence(pair: &Pair, row: &Row) -> Option<String> {
    let [reference, other] = &pair.names;
    let shown = row.compared.iter();
    let shown = shown.filter(|one| one.is_shown && one.is_worse());
    let figure = |one: &Compared| {
        let times = words::times(one.ratio()?);
        Some(format!("{} {times} times", one.figure.name))
    };
    let figures: Vec<String> = shown.filter_map(figure).collect();
    let (measurement, label) = (&row.measurement, words::label(&row.label));
    let (figures, conditions) = (figures.join(", "), &row.conditions);
    (!figures.is_empty()).then(|| {
        format!("{other} against {reference}: {measurement} {label}, {figures} ({conditions})")
    })
}
