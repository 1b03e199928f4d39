//! The ratios of a gate's rows, next to the margin.

use analysis::gate::{Gate, GateRow};
use analysis::words::percent;

use crate::figure::{self, Figure, Ratio};

pub(super) fn forest(number: usize, gate: &Gate) -> Option<Figure> {
    let ratio = |row: &GateRow| Some((row.label.clone(), row.compared?.effect));
    let ratios: Vec<Ratio> = gate.rows.iter().filter_map(ratio).collect();
    let caption = format!(
        "{} of B, divided by that of A, with intervals. Filled: B is worse by more than the margin \
         of {}, which broken lines show.",
        gate.figure,
        percent(gate.margin)
    );
    let title = format!("{}, B divided by A", gate.figure);
    figure::ratios(&format!("gate-{number}"), &caption, &title, gate.margin, &ratios)
}
