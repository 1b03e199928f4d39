//! All cells of what was measured.

use std::collections::BTreeMap;

use plan::{Axis, Outcome, RunSpec};
use serde::Serialize;
use units::{Nanos, Vicinity};

use super::cell::{Cell, aggressor};
use crate::comparison::Contrasts;
use crate::effect::share_of_tail;
use crate::finding::Compared;
use crate::survey::{Series, System};
use crate::words;

/// The load that does nothing.
pub const SHAM: &str = "sham";
const QUIET: &str = "quiet";

/// Effects of neighbours on one kind of run on one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    pub system: String,
    pub of: String,
    /// Whether a hypervisor was found, which may report a false topology.
    pub is_guest: bool,
    pub quiet_runs: usize,
    /// Share of samples below the end of the tail that is compared; null if runs are too short.
    pub tail_share: Option<f64>,
    pub comparisons: usize,
    /// Confidence of the intervals, adjusted for the number of comparisons.
    pub confidence: f64,
    /// Whether the sham shows a difference, so that nothing can be claimed about the others.
    pub sham_shows: bool,
    /// The cells, near places first.
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
        cells.sort_by(|one, other| other.worst().total_cmp(&one.worst()));
        cells
    }

    pub(super) fn shams(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.aggressor == SHAM)
    }

    pub(super) fn measured(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.runs > 0)
    }
}

/// Returns the matrices of a machine: one for each kind of run with neighbours in given places.
pub fn of(system: &System) -> Vec<Matrix> {
    let mut kinds: BTreeMap<String, Runs> = BTreeMap::new();
    for run in &system.outcomes {
        let runs = kinds.entry(identity(&run.header.spec)).or_default();
        runs.add(run);
    }
    kinds.into_values().filter_map(|runs| runs.matrix(system)).collect()
}

/// Returns a key that is equal for runs that differ only in neighbours, places and duration.
fn identity(spec: &RunSpec) -> String {
    let mut spec = spec.clone();
    spec.asked.loads.clear();
    spec.asked.duration = Nanos(0);
    spec.vicinity = None;
    serde_json::to_string(&spec).expect("plain data")
}

/// Briefly describes what neighbours are tried on: `tire fifo:80, 1 kHz, 57 000 masses`.
fn kind(spec: &RunSpec, quiet: &System) -> String {
    let series = quiet.series.first();
    let conditions = series.map(|series| series.conditions(&[series]));
    let own =
        conditions.map_or_else(|| spec.title(), |told| format!("{} {told}", spec.measurement));
    match Axis::of(spec).filter(|axis| matches!(axis, Axis::Masses | Axis::Instances)) {
        Some(axis) => format!("{own}, {}", words::place(&axis, axis.place(spec))),
        None => own,
    }
}

#[derive(Default)]
struct Runs<'a> {
    quiet: Vec<&'a Outcome>,
    cells: BTreeMap<(Vicinity, String), Vec<&'a Outcome>>,
}

impl<'a> Runs<'a> {
    fn add(&mut self, run: &'a Outcome) {
        let spec = &run.header.spec;
        match (spec.vicinity, spec.asked.loads.as_slice()) {
            (None, []) => self.quiet.push(run),
            (Some(place), [load]) => {
                let runs = self.cells.entry((place, aggressor(load))).or_default();
                runs.push(run);
            }
            // Loads that are not neighbours.
            _ => {}
        }
    }

    /// Returns `None` without a neighbour, or without a quiet run.
    fn matrix(self, system: &System) -> Option<Matrix> {
        let spec = &self.quiet.first()?.header.spec;
        let of = |name: String, runs: Vec<&'a Outcome>| {
            let mut system = System::named(name, runs)?;
            // Only the headline describes a run as a whole.
            system.series.retain(Series::headline);
            Some(system)
        };
        let (names, systems): (Vec<(String, Vicinity)>, Vec<System>) = (self.cells.into_iter())
            .filter_map(|((place, name), runs)| {
                Some(((name.clone(), place), of(format!("{name}, {place}"), runs)?))
            })
            .unzip();
        let mut all = vec![of(QUIET.to_owned(), self.quiet.clone())?];
        all.extend(systems);
        let contrasts = Contrasts::of_neighbours(&all, "load");
        let cells = names.iter().zip(&all[1..]).zip(&contrasts.pairs);
        let cells: Vec<Cell> =
            cells.map(|((name, system), pair)| Cell::of(name, system, pair.rows.first())).collect();
        (!cells.is_empty()).then(|| Matrix {
            system: system.name.clone(),
            of: kind(spec, &all[0]),
            is_guest: system.machine.hypervisor.is_some(),
            quiet_runs: all[0].valid().count(),
            tail_share: share_of_tail(all.iter().flat_map(|system| &system.series)),
            comparisons: contrasts.comparisons,
            confidence: contrasts.confidence(),
            sham_shows: (cells.iter()).any(|cell| cell.aggressor == SHAM && cell.shows()),
            cells,
        })
    }
}
