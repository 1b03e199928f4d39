//! Findings of a matrix.

use std::collections::BTreeMap;

use base::Vicinity;

use super::cell::Cell;
use super::matrix::{Matrix, SHAM};
use crate::effect::Effect;
use crate::finding::{AboutEffects, AboutMachine, Compared, Finding, Why};
use crate::lists::filled;

const CAUSES: usize = 2;

pub fn findings(matrices: &[Matrix]) -> Vec<Finding> {
    let Some(matrix) = matrices.first() else {
        let why = Why::NothingToCompare;
        return Finding::undecided(why);
    };
    let run = Finding::Effects(AboutEffects::Run { run: matrix.of.clone() });
    let tables = matrices.len();
    let several = (tables > 1).then_some(Finding::Effects(AboutEffects::FirstTableOf { tables }));
    let next = matrix.inconclusive().map(|why| Finding::Effects(AboutEffects::ToDecide { why }));
    [matrix.verdict(), run].into_iter().chain(several).chain(matrix.details()).chain(next).collect()
}

impl Matrix {
    pub fn verdict(&self) -> Finding {
        if let Some(why) = self.inconclusive() {
            return Finding::Effects(AboutEffects::Inconclusive { why });
        }
        let harmful = self.harmful();
        let worst = harmful.first().and_then(|cell| Some((cell, cell.harm()?)));
        Finding::Effects(worst.map_or(AboutEffects::NoHarm, |(cell, effect)| {
            AboutEffects::WorstNeighbour {
                neighbour: cell.aggressor.clone(),
                place: cell.place,
                figure: self.compared(&effect),
                ratio: effect.times[1],
            }
        }))
    }

    pub fn details(&self) -> Vec<Finding> {
        let mut all = Vec::new();
        if self.inconclusive().is_none() {
            all.extend(self.beginnings());
            all.extend(self.without_effect());
            all.extend(self.better());
        }
        all.extend(self.main_causes());
        all.extend(self.not_measured());
        all.push(self.evidence());
        all.extend(self.is_guest.then_some(Finding::Machine(AboutMachine::GuestTopology)));
        all
    }

    fn inconclusive(&self) -> Option<Why> {
        if !self.shams().any(|cell| cell.runs > 0) {
            return Some(Why::NoSham);
        }
        let differing = self.shams().find_map(|cell| cell.shown().next())?;
        let [lower, _, upper] = differing.times;
        Some(Why::ShamDiffers { figure: self.compared(&differing), interval: [lower, upper] })
    }

    fn compared(&self, effect: &Effect) -> Compared {
        match effect.figure.name {
            "missed" => Compared::MissOdds,
            "median" => Compared::Median,
            _ => self.tail(),
        }
    }

    /// Reports where harm begins, for each load that was tried at several intensities.
    fn beginnings(&self) -> Vec<Finding> {
        let mut loads: BTreeMap<(String, Vicinity), Vec<&Cell>> = BTreeMap::new();
        for cell in self.measured() {
            loads.entry((cell.at_full_intensity(), cell.place)).or_default().push(cell);
        }
        let several = loads.into_iter().filter(|(_, cells)| cells.len() > 1);
        several.filter_map(|((name, place), cells)| begins(&name, place, cells)).collect()
    }

    /// Reports loads without any cell that shows an effect.
    fn without_effect(&self) -> Option<Finding> {
        let mut loads: BTreeMap<&String, bool> = BTreeMap::new();
        for cell in self.measured().filter(|cell| cell.aggressor != SHAM) {
            *loads.entry(&cell.aggressor).or_default() |= cell.shows();
        }
        let quiet = loads.into_iter().filter(|(_, shows)| !shows);
        let neighbours = filled(quiet.map(|(name, _)| name.clone()))?;
        Some(Finding::Effects(AboutEffects::NoEffectDetected { neighbours }))
    }

    fn better(&self) -> Option<Finding> {
        let better = self.cells.iter().filter(|cell| cell.shows() && !cell.harms());
        let neighbours = filled(better.map(Cell::name))?;
        Some(Finding::Effects(AboutEffects::Better { neighbours }))
    }

    fn main_causes(&self) -> Option<Finding> {
        let worst = self.harmful().into_iter().take(CAUSES);
        let causes = worst.filter_map(|cell| Some((cell.name(), cell.cause.clone()?)));
        Some(Finding::Machine(AboutMachine::MainCauses { causes: filled(causes)? }))
    }

    fn not_measured(&self) -> Vec<Finding> {
        let mut loads: BTreeMap<&str, (Vec<Vicinity>, Option<&String>)> = BTreeMap::new();
        for cell in self.cells.iter().filter(|cell| cell.runs == 0) {
            let why = cell.why_invalid.as_ref();
            let entry = loads.entry(&cell.aggressor).or_insert((Vec::new(), why));
            entry.0.push(cell.place);
        }
        let loads = loads.into_iter();
        loads
            .map(|(name, (places, why))| Finding::not_measured(name, places, why.cloned()))
            .collect()
    }

    fn evidence(&self) -> Finding {
        let shams = self.shams().filter_map(|cell| cell.tail);
        Finding::Effects(AboutEffects::Evidence {
            comparisons: self.comparisons,
            reference_runs: self.quiet_runs,
            least_runs: self.measured().map(|cell| cell.runs).min().unwrap_or_default(),
            shams: shams.map(|tail| [tail.times[0], tail.times[2]]).collect(),
            figure: self.tail(),
        })
    }
}

/// Reports where harm begins; `None` if no intensity harms, or if a higher one does not, because
/// then something other than the intensity decides.
fn begins(name: &str, place: Vicinity, mut cells: Vec<&Cell>) -> Option<Finding> {
    let work = |cell: &Cell| cell.work_per_s.unwrap_or_default();
    cells.sort_by(|a, b| work(a).total_cmp(&work(b)));
    let first = cells.iter().position(|cell| cell.harms())?;
    let (below, above) = cells.split_at(first);
    let found = AboutEffects::HarmBegins {
        neighbour: name.to_owned(),
        place,
        harmful_per_s: work(above[0]),
        harmless_per_s: below.last().map(|cell| work(cell)),
        unit: above[0].unit.clone(),
    };
    above.iter().all(|cell| cell.harms()).then_some(Finding::Effects(found))
}
