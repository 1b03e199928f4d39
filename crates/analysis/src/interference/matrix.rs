//! All cells of what was measured.

use std::collections::BTreeMap;

use plan::{Axis, Outcome, RunSpec};
use serde::Serialize;
use units::{Nanos, Vicinity};

use super::cell::{Cell, aggressor};
use crate::comparison::contrasts::{Contrasts, OF_NEIGHBOURS, Question, share_of_tail};
use crate::survey::System;
use crate::words;

/// The load that does nothing.
pub const SHAM: &str = "sham";
/// What quiet runs are called.
const QUIET: &str = "quiet";

/// What neighbours do to one kind of run on one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// Name of the machine.
    pub system: String,
    /// The run that they are tried on, in words.
    pub of: String,
    /// Whether a hypervisor was found, which may make up who shares what.
    pub is_guest: bool,
    /// Quiet runs that count.
    pub quiet_runs: usize,
    /// The share of samples at whose end a tail is compared; null where runs are too short.
    pub tail_share: Option<f64>,
    /// How many figures were compared.
    pub comparisons: usize,
    /// The confidence of the intervals, after so many comparisons.
    pub confidence: f64,
    /// Whether the sham shows a difference, so that nothing can be claimed of the others.
    pub sham_shows: bool,
    /// What was tried, near places first.
    pub cells: Vec<Cell>,
}

/// The matrices of a machine: one for each kind of run that was made with neighbours in places.
pub fn of(system: &System) -> Vec<Matrix> {
    let mut kinds: BTreeMap<String, Runs> = BTreeMap::new();
    for run in &system.outcomes {
        let runs = kinds.entry(identity(&run.header.spec)).or_default();
        runs.add(run);
    }
    let kinds = kinds.into_values();
    kinds.filter_map(|runs| runs.matrix(system)).collect()
}

/// Equal for runs that differ in neighbours, places and duration at most.
fn identity(spec: &RunSpec) -> String {
    let mut spec = spec.clone();
    spec.asked.loads.clear();
    spec.asked.duration = Nanos(0);
    spec.vicinity = None;
    serde_json::to_string(&spec).expect("a specification is plain data")
}

/// What neighbours are tried on, in few words: `tire fifo:80, 1 kHz, 57 000 masses`.
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

/// Runs of one kind.
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
            // Under loads that are no neighbours.
            _ => {}
        }
    }

    /// `None` without a neighbour, or without a quiet run.
    fn matrix(self, system: &System) -> Option<Matrix> {
        let spec = &self.quiet.first()?.header.spec;
        let of = |name: String, runs: Vec<&'a Outcome>| {
            let mut system = System::named(name, runs)?;
            // What a run says of itself as a whole.
            system.series.retain(|series| series.headline);
            Some(system)
        };
        let (names, systems): (Vec<(String, Vicinity)>, Vec<System>) = (self.cells.into_iter())
            .filter_map(|((place, name), runs)| {
                Some(((name.clone(), place), of(format!("{name}, {place}"), runs)?))
            })
            .unzip();
        let mut all = vec![of(QUIET.to_owned(), self.quiet.clone())?];
        all.extend(systems);
        let question = Question {
            across: vec!["load".to_owned()],
            figures: OF_NEIGHBOURS,
            ..Question::default()
        };
        let contrasts = Contrasts::of(&all, &question, None);
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
