//! What changed from one kernel to the next.

use super::{Atlas, AtlasCell, AtlasKernel, AtlasRow, Cause, Figure, cause};
use crate::draws::{ENOUGH, are_shorter};
use crate::survey::median;

/// Changes by less than this ratio are not listed.
const LEAST_RATIO: f64 = 1.2;

/// A figure of a row that differs between two kernels: every draw on one of them is more than 20 %
/// longer than every draw on the other.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub from: &'a AtlasKernel,
    pub to: &'a AtlasKernel,
    pub row: &'a AtlasRow,
    pub figure: Figure,
    /// Cells of `from` and `to`.
    pub cells: [&'a AtlasCell; 2],
    /// Middle draw of the later kernel, divided by that of the earlier one.
    pub ratio: f64,
    /// Why it changed; `None` if that is not known.
    pub cause: Option<&'static Cause>,
}

impl<'a> Change<'a> {
    fn between(
        [from, to]: [&'a AtlasKernel; 2],
        row: &'a AtlasRow,
        cells: [&'a AtlasCell; 2],
        figure: Figure,
    ) -> Option<Self> {
        let [before, after] = cells.map(|cell| cell.draws(figure));
        let ratio = median(after.iter().copied())? / median(before.iter().copied())?;
        let is_shorter = |draws: &[f64], others: &[f64]| {
            let longer: Vec<f64> = draws.iter().map(|ns| ns * LEAST_RATIO).collect();
            are_shorter(&longer, others)
        };
        let is_shown = is_shorter(&before, &after) || is_shorter(&after, &before);
        is_shown.then(|| {
            let cause = cause(row, figure, [from, to]);
            Self { from, to, row, figure, cells, ratio, cause }
        })
    }
}

/// What differs between two atlases, or between neighbouring kernels of one.
#[derive(Debug, Default)]
pub struct Changes<'a> {
    /// Number of figures of which both kernels have enough draws.
    pub compared: usize,
    pub found: Vec<Change<'a>>,
}

impl<'a> Changes<'a> {
    fn compare(
        &mut self,
        kernels: [&'a AtlasKernel; 2],
        row: &'a AtlasRow,
        cells: [Option<&'a AtlasCell>; 2],
    ) {
        let [Some(before), Some(after)] = cells else {
            return;
        };
        if before.max_ns.len().min(after.max_ns.len()) < ENOUGH {
            return;
        }
        for figure in row.compared() {
            self.compared += 1;
            self.found.extend(Change::between(kernels, row, [before, after], *figure));
        }
    }
}

/// Returns the changes from each kernel to the next one on its line.
#[must_use]
pub fn between_neighbours(atlas: &Atlas) -> Changes<'_> {
    let mut changes = Changes::default();
    for (place, pair) in atlas.kernels.windows(2).enumerate() {
        let [from, to] = pair else { continue };
        if from.is_on_line_of(to) {
            for row in &atlas.rows {
                let cells = [place, place + 1].map(|place| row.cells[place].as_ref());
                changes.compare([from, to], row, cells);
            }
        }
    }
    changes
}

/// Returns the changes since an older atlas, for each kernel of the same line and series.
#[must_use]
pub fn changes_since<'a>(older: &'a Atlas, atlas: &'a Atlas) -> Changes<'a> {
    let mut changes = Changes::default();
    for (place, kernel) in atlas.kernels.iter().enumerate() {
        let is_same = |old: &AtlasKernel| old.is_on_line_of(kernel) && old.series == kernel.series;
        let Some(before) = older.kernels.iter().position(is_same) else {
            continue;
        };
        for row in &atlas.rows {
            let old = older.rows.iter().find(|old| old.is_same(row));
            let cells = [old.and_then(|old| old.cells[before].as_ref()), row.cells[place].as_ref()];
            changes.compare([&older.kernels[before], kernel], row, cells);
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::Line;
    use super::*;
    use base::SchemaVersion;

    fn kernel(series: &str) -> AtlasKernel {
        AtlasKernel {
            name: format!("debian-{series}"),
            architecture: "x86_64".to_owned(),
            line: Line::Rt,
            series: series.to_owned(),
            release: format!("{series}.0"),
            source: String::new(),
            model: "rt".to_owned(),
        }
    }

    fn cell(median_ns: i64, worst: [i64; 4]) -> Option<AtlasCell> {
        Some(AtlasCell { median_ns: vec![median_ns; 4], max_ns: worst.to_vec() })
    }

    fn atlas(series: [&str; 2], cells: Vec<Option<AtlasCell>>) -> Atlas {
        let row = AtlasRow {
            measurement: "interrupt".to_owned(),
            row: "timer".to_owned(),
            conditions: "fifo:80".to_owned(),
            load: "none".to_owned(),
            cells,
        };
        Atlas {
            schema_version: SchemaVersion,
            tool_version: String::new(),
            qemu_version: String::new(),
            kernels: series.map(kernel).to_vec(),
            rows: vec![row],
        }
    }

    fn figures(changes: &Changes) -> Vec<(&'static str, f64)> {
        changes.found.iter().map(|change| (change.figure.name(), change.ratio)).collect()
    }

    #[test]
    fn a_change_is_larger_than_chance_and_than_a_fifth() {
        let before = || cell(100, [200, 300, 400, 500]);
        let changed = |after| {
            let atlas = atlas(["6.1", "6.12"], vec![before(), after]);
            figures(&between_neighbours(&atlas))
        };
        assert_eq!(changed(cell(150, [300, 400, 500, 600])), [("median", 1.5)]);
        assert_eq!(changed(cell(119, [700, 700, 700, 700])), [("worst", 2.0)]);
        assert_eq!(changed(cell(100, [590, 700, 700, 700])), []);
        assert_eq!(changed(cell(100, [200, 900, 900, 900])), []);
        assert_eq!(changed(None), []);
    }

    #[test]
    fn kernels_of_one_series_are_compared_with_the_older_atlas() {
        let older = atlas(["6.1", "7.2"], vec![cell(100, [9; 4]), cell(100, [9; 4])]);
        let newer = atlas(["6.1", "7.3"], vec![cell(100, [9; 4]), cell(200, [9; 4])]);
        assert_eq!(figures(&changes_since(&older, &newer)), []);
        let newer = atlas(["6.1", "7.2"], vec![cell(100, [9; 4]), cell(50, [9; 4])]);
        assert_eq!(figures(&changes_since(&older, &newer)), [("median", 0.5)]);
        let mut arm = newer;
        arm.kernels.iter_mut().for_each(|kernel| kernel.architecture = "aarch64".to_owned());
        assert_eq!(changes_since(&older, &arm).compared, 0, "another instruction set");
    }
}
