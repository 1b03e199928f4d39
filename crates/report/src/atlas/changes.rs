//! Changes between kernels in words.

use analysis::atlas::Change;
use analysis::words::{self, counted};

use super::cells::range;

/// `6.1 → 6.12 stock, interrupt: uio, no load, median: 15.2 → 32.9 µs (2.16x)`.
pub(super) fn in_words(change: &Change) -> String {
    let [before, after] = change.cells.map(|cell| range(&cell.draws(change.figure)));
    let load = match change.row.load.as_str() {
        "none" => "no load".to_owned(),
        load => format!("load `{load}`"),
    };
    format!(
        "{} → {} {}, {}, {load}, {}: {before} → {after} µs ({}x)",
        change.from.series,
        change.to.series,
        change.to.line.in_words(),
        change.row.title(),
        change.figure.name(),
        words::times(change.ratio),
    )
}

/// Lists the changes since another atlas for a terminal, the largest first, at most so many.
#[must_use]
pub fn listed(changes: &[Change], most: usize) -> String {
    if changes.is_empty() {
        return "No figure changed by more than 20 % since the atlas of this program.\n".to_owned();
    }
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort_by(|a, b| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()));
    let mut text = format!(
        "{} changed by more than 20 % since the atlas of this program:\n",
        counted(changes.len(), "figure")
    );
    for change in changes.iter().take(most) {
        let [old, new] = [&change.from.release, &change.to.release];
        text += &format!("  {old} → {new}: {}\n", in_words(change));
    }
    if changes.len() > most {
        text += &format!("  and {} more\n", changes.len() - most);
    }
    text
}
