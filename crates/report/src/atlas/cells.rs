//! Figures of the atlas in words.

use analysis::atlas::{Atlas, AtlasCell, AtlasRow, Figure};
use analysis::lists::groups;
use analysis::words;

/// Returns the least and greatest of the draws in microseconds, as one number where both print alike.
pub(super) fn range(draws: &[f64]) -> String {
    let ends = [draws.iter().copied().reduce(f64::min), draws.iter().copied().reduce(f64::max)];
    let [least, most] = ends.map(|end| end.map_or_else(String::new, words::brief_micros));
    if least == most { least } else { format!("{least}–{most}") }
}

/// Returns median and worst case: `15.3 / 21.7–24.1`.
pub(super) fn median_and_worst(cell: &AtlasCell) -> String {
    let [median, worst] = Figure::ALL.map(|figure| range(&cell.draws(figure)));
    format!("{median} / {worst}")
}

/// Returns the rows that are measured only without load, and each of the others as one group with all of its loads.
pub(super) fn by_load(atlas: &Atlas) -> (Vec<&AtlasRow>, Vec<Vec<&AtlasRow>>) {
    let is_alike = |a: &&AtlasRow, b: &&AtlasRow| a.is_same_but_for_load(b);
    let is_free = |group: &Vec<&AtlasRow>| group.iter().all(|row| row.load == "none");
    let (free, loaded): (Vec<_>, Vec<_>) =
        groups(atlas.rows.iter(), is_alike).into_iter().partition(is_free);
    (free.into_iter().flatten().collect(), loaded)
}
