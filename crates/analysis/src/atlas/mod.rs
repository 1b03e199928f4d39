//! The atlas of kernels: medians and worst cases of every service, and of wake-ups under each load, on Debian's kernels
//! in the lab, one after the other.

mod cause;
mod change;
mod kernel;
mod row;

use base::SchemaVersion;
use serde::{Deserialize, Serialize};

use crate::comparison::Comparison;
use crate::survey::versions;

pub use cause::{Cause, cause};
pub use change::{Change, Changes, between_neighbours, changes_since};
pub use kernel::{AtlasKernel, Line};
pub use row::{AtlasCell, AtlasRow, Figure};

/// The atlas that this program was built with: `docs/kernels.json`.
const COMMITTED: &str = include_str!("../../../../docs/kernels.json");

/// `kernels.json` of `steadfast lab compare --atlas`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Atlas {
    #[serde(skip_deserializing)]
    pub schema_version: SchemaVersion<1>,
    /// Version of the program that measured.
    pub tool_version: String,
    /// Version of QEMU.
    pub qemu_version: String,
    /// The kernels, by line and version; the columns of all rows.
    pub kernels: Vec<AtlasKernel>,
    /// What was measured.
    pub rows: Vec<AtlasRow>,
}

impl Atlas {
    /// Returns the atlas of the kernels in a comparison; `None` if none is of the lab.
    #[must_use]
    pub fn of(comparison: &Comparison) -> Option<Self> {
        let mut columns = kernel::columns(&comparison.systems);
        columns.sort_by_key(|(_, kernel)| kernel.order());
        let (places, kernels): (Vec<usize>, Vec<AtlasKernel>) = columns.into_iter().unzip();
        let lab = comparison.systems[*places.first()?].machine.lab.as_ref()?;
        Some(Self {
            schema_version: SchemaVersion,
            tool_version: versions(comparison.outcomes()).join(", "),
            qemu_version: lab.qemu_version.clone(),
            rows: row::rows(&comparison.systems, &places),
            kernels,
        })
    }

    /// Returns the atlas of this program's manual.
    ///
    /// # Panics
    /// If the file in the program is not an atlas; a test reads it.
    #[must_use]
    pub fn committed() -> Self {
        serde_json::from_str(COMMITTED).expect("docs/kernels.json is an atlas")
    }

    /// The number of draws of the row with the fewest, and of that with the most.
    #[must_use]
    pub fn draws(&self) -> [usize; 2] {
        let cells = || self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let draws = || cells().map(|cell| cell.max_ns.len());
        [draws().min().unwrap_or(0), draws().max().unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::lab;
    use crate::standards::DEFAULT_STANDARDS;
    use crate::survey::systems;

    #[test]
    fn an_atlas_has_services_without_load_and_wake_ups_under_each() {
        let runs = lab();
        let comparison = Comparison::of_kernels(systems(&runs), &DEFAULT_STANDARDS);
        let atlas = Atlas::of(&comparison).unwrap();
        let lines: Vec<Line> = atlas.kernels.iter().map(|kernel| kernel.line).collect();
        assert_eq!(lines, [Line::None, Line::Rt], "the model at boot is unknown");
        let loads = |measurement: &str| {
            let rows = atlas.rows.iter().filter(|row| row.measurement == measurement);
            crate::lists::each_once(rows.map(|row| row.load.as_str()))
        };
        assert_eq!(loads("wakeup"), ["none", "files", "paging"]);
        assert_eq!(loads("interrupt"), ["none", "files", "paging"]);
        assert_eq!(loads("preemption"), ["none"]);
        assert!(loads("tire").is_empty());
        let rows = atlas.rows.iter().filter(|row| row.measurement == "wakeup");
        let mut cells = rows.flat_map(|row| row.cells.iter().flatten());
        assert!(
            cells.all(|cell| cell.max_ns.len() > 1 && cell.median_ns.len() == cell.max_ns.len())
        );
    }

    #[test]
    fn the_committed_atlas_is_complete() {
        let atlas = Atlas::committed();
        assert!(atlas.kernels.len() > 12 && atlas.rows.len() > 30);
        assert!(atlas.rows.iter().all(|row| row.cells.len() == atlas.kernels.len()));
        assert!(atlas.draws()[0] > 3, "fewer show no difference");
    }
}
