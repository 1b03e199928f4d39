//! One thing that a neighbour does, in one place.

use std::collections::BTreeMap;

use plan::{LoadSpec, Outcome};
use serde::Serialize;
use units::Vicinity;

use crate::causes;
use crate::comparison::contrasts::Row;
use crate::ratio::Ratio;
use crate::survey::{System, why_invalid};
use crate::words;

/// One aggressor in one place, against quiet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The load, without its CPUs.
    pub aggressor: String,
    /// Where it works, seen from the measured CPUs.
    pub place: Vicinity,
    /// The CPUs that it works on.
    pub cpus: String,
    /// Runs that count.
    pub runs: usize,
    /// Runs that are INVALID.
    pub invalid: usize,
    /// Why the first of them is.
    pub why_invalid: Option<String>,
    /// How many times the median is.
    pub median: Option<Ratio>,
    /// How many times the end of the tail is.
    pub tail: Option<Ratio>,
    /// How many times the odds of a missed deadline are, where any was missed.
    pub missed: Option<Ratio>,
    /// Units of work that it did in a second, over all its processes.
    pub work_per_s: Option<f64>,
    /// What these units are.
    pub unit: String,
    /// In nanoseconds: how much later the tail ends for each unit of work in a second.
    pub harm_ns_per_work: Option<f64>,
    /// What most of what was late in these runs was late by, where causes were looked for.
    pub cause: Option<String>,
}

impl Cell {
    /// What the runs of a cell say; `row` is what was compared of them.
    pub(super) fn of(
        (aggressor, place): &(String, Vicinity),
        system: &System,
        row: Option<&Row>,
    ) -> Self {
        let named = |name| row.and_then(|row| row.named(name)).and_then(Ratio::of);
        let tail = named("tail");
        let (work_per_s, unit) = work(system);
        let more_ns = tail.map(|tail| tail.beside - tail.quiet);
        let harm = more_ns.zip(work_per_s.filter(|work| *work > 0.0));
        let invalid: Vec<&&Outcome> = system.outcomes.iter().filter(|o| !o.is_valid()).collect();
        let first = system.outcomes.first();
        let loads = first.map(|run| &run.header.spec.asked.loads);
        let cpus = loads.and_then(|loads| loads.first()?.cpus.clone());
        Self {
            aggressor: aggressor.clone(),
            place: *place,
            cpus: cpus.unwrap_or_default().to_string(),
            runs: system.valid().count(),
            invalid: invalid.len(),
            why_invalid: invalid.first().and_then(|run| why_invalid(run)),
            median: named("median"),
            tail,
            missed: named("missed"),
            work_per_s,
            unit,
            harm_ns_per_work: harm.map(|(more_ns, work)| more_ns / work),
            cause: cause(system),
        }
    }

    /// Every ratio, the one that counts most first, with what a sentence calls it.
    pub(super) fn ratios(&self, tail: &'static str) -> [(&'static str, Option<Ratio>); 3] {
        [("odds of a miss", self.missed), (tail, self.tail), ("median", self.median)]
    }

    /// Whether anything is shown to be worse.
    #[must_use]
    pub fn harms(&self) -> bool {
        let all = self.ratios("");
        all.iter().filter_map(|(_, ratio)| *ratio).any(|ratio| ratio.is_worse())
    }

    /// Whether anything is shown to differ.
    #[must_use]
    pub fn shows(&self) -> bool {
        let all = self.ratios("");
        all.iter().filter_map(|(_, ratio)| *ratio).any(|ratio| ratio.shown)
    }

    /// Its name and its place: `shootdown, shared-cache`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}, {}", self.aggressor, self.place)
    }
}

/// A load without its CPUs, as it is typed.
pub(super) fn aggressor(load: &LoadSpec) -> String {
    let load = LoadSpec { cpus: None, ..load.clone() };
    load.to_string()
}

/// What the loads of valid runs did in a second, on average, and its unit.
fn work(system: &System) -> (Option<f64>, String) {
    let (mut done, mut seconds, mut unit) = (0, 0.0, String::new());
    for run in system.valid() {
        done += run.found.loads.iter().map(|load| load.work_done).sum::<u64>();
        seconds += measured_seconds(run);
        unit = run.found.loads.first().map_or(unit, |load| load.unit.clone());
    }
    ((seconds > 0.0).then(|| done as f64 / seconds), unit)
}

/// How long a run measured: as its threads took, else as it was asked.
fn measured_seconds(run: &Outcome) -> f64 {
    let threads = run.found.threads.iter();
    let longest = threads.map(|thread| thread.counters.wall_time_ns).max();
    match longest.filter(|ns| *ns > 0) {
        Some(ns) => ns as f64 / 1e9,
        None => run.header.spec.asked.duration.as_secs_f64(),
    }
}

/// The cause that most of what was late has as its main one.
fn cause(system: &System) -> Option<String> {
    let mut mains: BTreeMap<String, u64> = BTreeMap::new();
    for summary in system.series.iter().flat_map(causes::summaries) {
        for total in summary.causes {
            *mains.entry(total.words).or_default() += total.main_of;
        }
    }
    let (words, count) = mains.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 0).then(|| format!("{words} ({} times)", words::grouped(count)))
}
