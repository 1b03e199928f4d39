//! The effects of neighbours.

use analysis::comparison::Margin;
use analysis::effect::Effect;
use analysis::finding::Compared;
use analysis::interference::{Cell, Matrix};

use crate::figure::{self, Figure};

/// Draws the intervals of the tail and of the median, if there are any.
pub(super) fn figures(number: usize, matrix: &Matrix) -> Vec<Figure> {
    let figure = |id, what: Compared, of: fn(&Cell) -> Option<Effect>| {
        let name = what.name();
        let caption =
            format!("{name} of {} with each neighbour, divided by that of quiet runs", matrix.of);
        let title = format!("{name} divided by that of quiet runs");
        let cells = matrix.cells.iter();
        let ratios: Vec<_> = cells.filter_map(|cell| Some((cell.name(), of(cell)?))).collect();
        let id = format!("beside-{id}-{number}");
        figure::ratios(&id, &caption, &title, Margin::default().share(), &ratios)
    };
    let tail = figure("tail", matrix.tail(), |cell| cell.tail);
    let median = figure("median", Compared::Median, |cell| cell.median);
    tail.into_iter().chain(median).collect()
}
