//! Changes between kernels in words.

use analysis::atlas::{Change, Changes};
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
pub fn listed(changes: &Changes, most: usize) -> String {
    let figures = counted(changes.compared, "figure");
    if changes.compared == 0 {
        return "Nothing to compare with the atlas of this program: it takes four draws of a kernel on both sides.\n"
            .to_owned();
    }
    let mut found: Vec<&Change> = changes.found.iter().collect();
    found.sort_by(|a, b| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()));
    let count = if found.is_empty() { "none".to_owned() } else { found.len().to_string() };
    let mut text = format!(
        "Of {figures}, {count} changed by more than 20 % since the atlas of this program.\n"
    );
    for change in found.iter().take(most) {
        let [old, new] = [&change.from.release, &change.to.release];
        text += &format!("  {old} → {new}: {}\n", in_words(change));
    }
    if found.len() > most {
        text += &format!("  and {} more\n", found.len() - most);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::atlas::{Atlas, changes_since};

    #[test]
    fn an_atlas_differs_from_itself_in_nothing() {
        let atlas = Atlas::committed();
        let same = listed(&changes_since(&atlas, &atlas), 3);
        assert!(same.starts_with("Of ") && same.contains(", none changed"), "{same}");
        let few = listed(&Changes::default(), 3);
        assert!(few.contains("four draws"), "{few}");
    }
}
