//! What sizes of the tire met every deadline.

use std::collections::BTreeMap;

use plan::{NOWHERE, RunSpec, fact};
use serde_json::{Map, Value, json as value};
use stats::Tries;
use stats::frontier::Demand;

use crate::json::{self, fields};
use crate::standards::{Limits, Strictness};
use crate::survey::{self, Series, System};
use crate::words;

/// The time that a real-fast run of the publications simulates.
pub const SIMULATED_NS: f64 = 60e9;
/// Steps in that time, at 10 ms.
pub const SIMULATED_STEPS: f64 = 6000.0;

/// Real-time runs that differ in masses and threads alone.
pub struct Grid<'a> {
    /// The specification of one of them.
    pub spec: &'a RunSpec,
    /// By threads, then masses.
    pub cells: BTreeMap<u64, BTreeMap<u64, Cell>>,
}

/// The deadlines of one size on one number of threads.
pub type Cell = Tries;

/// Where misses begin on one number of threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Number of threads.
    pub threads: u64,
    /// Largest size without a miss, and so was every smaller one measured.
    pub clean: Option<(u64, Cell)>,
    /// Smallest size with a miss.
    pub missed: Option<(u64, Cell)>,
}

/// Whether a series is a tire in a real-time run.
pub fn is_real_time(series: &Series) -> bool {
    series.spec.parameters.word("mode") == "real-time"
}

/// The grids of a machine, in the order of their first run.
pub fn grids<'a>(system: &System<'a>) -> Vec<Grid<'a>> {
    let mut grids: Vec<Grid<'a>> = Vec::new();
    for series in system.of("tire").filter(|s| is_real_time(s) && s.due() > 0) {
        let place = grids.iter().position(|grid| alike(grid.spec, series.spec));
        let place = place.unwrap_or_else(|| {
            grids.push(Grid {
                spec: series.spec,
                cells: BTreeMap::new(),
            });
            grids.len() - 1
        });
        let row = grids[place]
            .cells
            .entry(series.count(&fact::THREADS))
            .or_default();
        let cell = row.entry(series.count(&fact::MASSES)).or_default();
        for one in &series.rows {
            let missed = one.fact(&fact::MISSED).and_then(Value::as_u64);
            cell.add(Tries::one(one.due, missed.unwrap_or(one.skipped)));
        }
    }
    grids
}

/// What may differ on one map: its axes, and how often each cell was tried.
const AXES: [&str; 3] = ["masses", "threads", "steps"];

/// What is the same on a whole map: parameters without its axes, policy, loads.
pub fn shared(spec: &RunSpec) -> Map<String, Value> {
    let mut parameters = json::parameters(&spec.parameters);
    AXES.iter().for_each(|axis| drop(parameters.remove(*axis)));
    fields(value!({
        "parameters": parameters,
        "policy": spec.asked.policy,
        "loads": spec.asked.loads,
    }))
}

/// How a tire is solved: `simd solver`, and what is not as in the papers.
pub fn solution(spec: &RunSpec) -> Vec<String> {
    let word = |name| Some(spec.parameters.word(name)).filter(|word| !word.is_empty());
    let unusual = |name, usual| word(name).filter(|word| *word != usual).map(str::to_owned);
    let substeps = spec.parameters.count("substeps");
    let solver = word("solver").map(|solver| format!("{solver} solver"));
    let precision = unusual("precision", "f64");
    let barrier = unusual("barrier", "spin").map(|barrier| format!("{barrier} barrier"));
    let overrun = unusual("overrun", "skip").map(|overrun| format!("{overrun} after overruns"));
    let several = (substeps > 1).then(|| format!("{substeps} sub-steps"));
    let watched = unusual("watch", NOWHERE).map(|_| "watched".to_owned());
    [solver, precision, several, barrier, overrun, watched]
        .into_iter()
        .flatten()
        .collect()
}

/// Solver, policy and loads: `simd solver, fifo:80, load cpu`.
pub fn conditions(spec: &RunSpec) -> String {
    let asked = &spec.asked;
    let mut words = solution(spec);
    words.push(asked.policy.to_string());
    if !asked.loads.is_empty() {
        words.push(survey::loads(asked));
    }
    words.join(", ")
}

/// Whether masses, threads and steps at most tell two runs apart.
pub fn alike(one: &RunSpec, other: &RunSpec) -> bool {
    let same = |(name, value)| AXES.contains(&name) || other.parameters.get(name) == Some(value);
    one.parameters.iter().all(same)
        && one.asked.policy == other.asked.policy
        && one.asked.loads == other.asked.loads
}

impl Grid<'_> {
    /// How many sizes were measured.
    pub fn sizes(&self) -> usize {
        self.cells.values().map(BTreeMap::len).sum()
    }

    /// Every size measured on any number of threads, rising.
    pub fn masses(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self
            .cells
            .values()
            .flat_map(|row| row.keys().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Where misses begin, for each number of threads.
    pub fn thresholds(&self) -> Vec<Threshold> {
        let threshold = |(threads, row): (&u64, &BTreeMap<u64, Cell>)| {
            let missed = row.iter().find(|(_, cell)| cell.missed > 0);
            let below = |masses: u64| missed.is_none_or(|(first, _)| masses < *first);
            let clean = row.iter().rev().find(|(masses, _)| below(**masses));
            Threshold {
                threads: *threads,
                clean: clean.map(|(masses, cell)| (*masses, *cell)),
                missed: missed.map(|(masses, cell)| (*masses, *cell)),
            }
        };
        self.cells.iter().map(threshold).collect()
    }

    /// What it takes to be shown to meet every deadline.
    pub fn hard(&self, limits: &Limits) -> Demand {
        limits.demand(Strictness::Hard, self.spec.parameters.time("rate"))
    }

    /// The rate of the deadlines: `100 Hz`.
    pub fn rate(&self) -> String {
        self.spec
            .parameters
            .get("rate")
            .map_or_else(String::new, words::value)
    }

    /// Solver, policy and loads.
    pub fn conditions(&self) -> String {
        conditions(self.spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::tire;
    use crate::survey::systems;

    #[test]
    fn a_size_above_the_first_miss_does_not_count() {
        let runs = [
            tire("real-time", 100, 1, 200, 0),
            tire("real-time", 200, 1, 200, 1),
            tire("real-time", 400, 1, 200, 0),
            tire("real-time", 400, 2, 200, 0),
        ];
        let systems = systems(&runs);
        let grids = grids(&systems[0]);
        let sizes = |of: fn(&Threshold) -> Option<(u64, Cell)>| -> Vec<Option<u64>> {
            let thresholds = grids[0].thresholds();
            thresholds
                .iter()
                .map(|t| of(t).map(|(masses, _)| masses))
                .collect()
        };
        assert_eq!(grids.len(), 1);
        assert_eq!(sizes(|t| t.clean), [Some(100), Some(400)]);
        assert_eq!(sizes(|t| t.missed), [Some(200), None]);
    }

    #[test]
    fn repeated_runs_add_up_and_other_conditions_have_their_own_grid() {
        let mut loaded = tire("real-time", 100, 1, 200, 3);
        loaded.header.spec.asked.loads = vec!["cpu".parse().unwrap()];
        let mut again = tire("real-time", 100, 1, 200, 2);
        again.header.run_id.push_str("-2");
        let runs = [tire("real-time", 100, 1, 200, 1), again, loaded];
        let systems = systems(&runs);
        let grids = grids(&systems[0]);
        assert_eq!(grids.len(), 2);
        let counted = |grid: &Grid| {
            let cell = grid.cells[&1][&100];
            (cell.runs, cell.due, cell.missed)
        };
        assert_eq!(counted(&grids[0]), (2, 400, 3));
        assert_eq!(counted(&grids[1]), (1, 200, 3));
    }
}
