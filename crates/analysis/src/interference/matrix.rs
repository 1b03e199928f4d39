//! All cells of what was measured.

use std::collections::BTreeMap;

use base::Vicinity;
use record::{Axis, Outcome, RunSpec};
use serde::Serialize;

use super::cell::{Cell, aggressor};
use crate::comparison::Contrasts;
use crate::effect::share_of_tail;
use crate::finding::Compared;
use crate::survey::{Series, System, of_no_duration};
use crate::words;

/// The load that does nothing.
pub const SHAM: &str = "sham";
const QUIET: &str = "quiet";

/// Effects of neighbours on one kind of run on one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matrix {
    /// Name of the machine.
    pub system: String,
    /// Run on which neighbours are tried, as text.
    pub of: String,
    /// Whether a hypervisor was found, which may report a false CPU topology.
    pub is_guest: bool,
    /// Valid runs without a neighbour.
    pub quiet_runs: usize,
    /// Share of samples below the end of the tail that is compared; null if the runs are too short.
    pub tail_share: Option<f64>,
    /// Number of figures compared.
    pub comparisons: usize,
    /// Confidence of the intervals, adjusted for the number of comparisons.
    pub confidence: f64,
    /// Whether the sham, which only sleeps, shows a difference; if so, nothing can be claimed about
    /// the other neighbours.
    pub sham_shows: bool,
    /// Each neighbour in each place, nearest places first.
    pub cells: Vec<Cell>,
}

impl Matrix {
    /// The figure that tails are compared by.
    pub fn tail(&self) -> Compared {
        match self.tail_share {
            Some(share) if share > 0.99 => Compared::P999,
            _ => Compared::P99,
        }
    }

    /// Cells that are shown to harm, the worst first.
    pub fn harmful(&self) -> Vec<&Cell> {
        let mut cells: Vec<&Cell> = self.cells.iter().filter(|cell| cell.harms()).collect();
        cells.sort_by(|a, b| b.worst().total_cmp(&a.worst()));
        cells
    }

    pub(super) fn shams(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.aggressor == SHAM)
    }

    pub(super) fn measured(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.runs > 0)
    }
}

/// Runs by the place and the name of the neighbour; those without one come first.
type Runs<'a> = BTreeMap<Option<(Vicinity, String)>, Vec<&'a Outcome>>;

/// Returns the matrices of a machine: one for each kind of run with neighbours in given places.
pub fn system_matrices(system: &System) -> Vec<Matrix> {
    let mut kinds: BTreeMap<String, Runs> = BTreeMap::new();
    for run in &system.outcomes {
        let spec = &run.header.spec;
        let neighbour = match (spec.vicinity, spec.asked.loads.as_slice()) {
            (None, []) => None,
            (Some(place), [load]) => Some((place, aggressor(load))),
            // Loads that are not neighbours.
            _ => continue,
        };
        kinds.entry(identity(spec)).or_default().entry(neighbour).or_default().push(run);
    }
    kinds.into_values().filter_map(|runs| matrix(system, runs)).collect()
}

/// Returns a key that is equal for runs that differ only in neighbours, places and duration.
fn identity(spec: &RunSpec) -> String {
    let mut spec = of_no_duration(spec);
    spec.asked.loads.clear();
    spec.vicinity = None;
    spec.key()
}

/// Briefly describes what neighbours are tried on: `tire fifo:80, 1 kHz, 57 000 masses`.
fn kind(quiet: &System) -> String {
    let spec = &quiet.outcomes[0].header.spec;
    let series = quiet.series.first();
    let conditions = series.map(|series| series.conditions(&[series]));
    let conditions_apart = conditions
        .map_or_else(|| spec.title(), |conditions| format!("{} {conditions}", spec.measurement));
    match Axis::of(spec).filter(|axis| matches!(axis, Axis::Masses | Axis::Instances)) {
        Some(axis) => format!("{conditions_apart}, {}", words::place(&axis, axis.place(spec))),
        None => conditions_apart,
    }
}

/// Returns `None` without a neighbour, or without a quiet run.
fn matrix(system: &System, runs: Runs) -> Option<Matrix> {
    let systems = runs.into_iter().filter_map(|(neighbour, runs)| {
        let name = neighbour.as_ref().map(|(place, name)| format!("{name}, {place}"));
        let mut system = System::named(name.unwrap_or_else(|| QUIET.to_owned()), runs)?;
        // Only the headline describes a run as a whole.
        system.series.retain(Series::headline);
        Some((neighbour, system))
    });
    let (names, systems): (Vec<Option<(Vicinity, String)>>, Vec<System>) = systems.unzip();
    let ([None, names @ ..], [quiet, others @ ..]) = (&names[..], &systems[..]) else {
        return None;
    };
    let contrasts = Contrasts::of_neighbours(&systems, "load");
    let cells = names.iter().flatten().zip(others).zip(&contrasts.pairs);
    let cells: Vec<Cell> =
        cells.map(|((name, system), pair)| Cell::of(name, system, pair.rows.first())).collect();
    (!cells.is_empty()).then(|| Matrix {
        system: system.name.clone(),
        of: kind(quiet),
        is_guest: system.machine.hypervisor.is_some(),
        quiet_runs: quiet.valid().count(),
        tail_share: share_of_tail(systems.iter().flat_map(|system| &system.series)),
        comparisons: contrasts.comparisons,
        confidence: contrasts.confidence(),
        sham_shows: cells.iter().any(|cell| cell.aggressor == SHAM && cell.shows()),
        cells,
    })
}
