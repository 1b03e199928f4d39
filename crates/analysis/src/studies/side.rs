//! One side of a finding: which figure of which runs of which system.

use record::{LoadSpec, Machine, Outcome, Row, RunSpec, fact};
use stats::{Distribution, Tries};

use crate::lists::groups;
use crate::published;
use crate::real_time;
use crate::share::ManyMisses;
use crate::standards::Limits;
use crate::survey::{Series, System};

use super::wanted::Wanted;

/// Values that depend on the machine: its cores if these have several hardware threads each, its
/// hardware threads but one and all of them if there are several, all but one if those are several,
/// and twice as many.
const MACHINES: [&str; 5] = ["cores", "cpus-1", "cpus", "several", "2xcpus"];
/// The smallest figure: logarithms are taken, and a figure can be 0.
const SMALLEST: f64 = 1e-9;
/// A frame is near the median if its run time differs by at most this share: the few bins around
/// the average of Murray 2003, figure 2.
const NEAR: f64 = 0.01;
/// The name whose value is a parameter: the figure is one of all its values.
const OVER: &str = "over";
/// The name whose value is a parameter: of the figures for each of its values, the least counts.
const LEAST: &str = "least";

/// Selects a figure: `FIGURE MEASUREMENT [SYSTEM] [NAME=VALUE]...`.
///
/// `load`, `policy` and `memory` are conditions; a load's name, or all of it with its CPUs. `row` is
/// the label of a row; for counted deadlines `first` or `others`. `blame` asks for a run that was
/// traced, which no other side is. `over` is the parameter of `first_missed`, and `least` one over
/// which the least figure counts. Every other name is a parameter of the measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// As the table has it.
    pub text: String,
    pub(super) figure: String,
    measurement: String,
    /// The system that it requires; without one, any system has the side.
    pub system: Option<Wanted>,
    conditions: Vec<(String, String)>,
}

impl Side {
    pub(super) fn read(text: &str) -> Self {
        let mut words = text.split_whitespace();
        let mut next = || words.next().unwrap_or_default().to_owned();
        let (figure, measurement) = (next(), next());
        let (mut system, mut conditions) = (None, Vec::new());
        for word in words {
            match word.split_once('=') {
                Some((name, value)) => conditions.push((name.to_owned(), value.to_owned())),
                None => system = word.parse().ok(),
            }
        }
        Self { text: text.to_owned(), figure, measurement, system, conditions }
    }

    /// Whether a run on this machine measures this side. Without `load` it has none.
    pub fn is_of(&self, spec: &RunSpec, machine: &Machine) -> bool {
        let loads = |word: fn(&LoadSpec) -> String| {
            spec.asked.loads.iter().map(word).collect::<Vec<String>>().join("+")
        };
        let load = self.condition("load").unwrap_or_default();
        let is_met = |(name, value): &(String, String)| match name.as_str() {
            "load" | "row" | "blame" | OVER | LEAST => true,
            "policy" => spec.asked.policy.to_string().split(':').next() == Some(value),
            "memory" => *value == if spec.asked.memory_lock { "locked" } else { "unlocked" },
            name if MACHINES.contains(&value.as_str()) => {
                spec.parameters.get(name).is_some()
                    && count_of(value, machine) == Some(spec.parameters.count(name))
            }
            name => spec.parameters.get(name).is_some_and(|found| found.to_string() == *value),
        };
        self.measurement == spec.measurement
            && (load == loads(|load| load.name.clone()) || load == loads(LoadSpec::to_string))
            && self.condition("blame").is_some() == spec.blame_beyond.is_some()
            && self.conditions.iter().all(is_met)
    }

    /// Returns the measurement, and the row if one is named: `priority_inversion, semaphore`.
    pub(super) fn source(&self) -> String {
        let row = self.condition("row").map(|row| format!(", {row}")).unwrap_or_default();
        self.measurement.clone() + &row
    }

    pub(super) fn condition(&self, name: &str) -> Option<&str> {
        let mut all = self.conditions.iter();
        all.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether its figure is one of all values of a parameter, so that every run is needed.
    pub(super) fn needs_all(&self) -> bool {
        self.condition(OVER).is_some()
    }

    /// Figures of the first series that it selects, per run or per round over a parameter.
    pub(super) fn figures(&self, system: &System) -> Figures {
        let mut others = self.series(system);
        let Some(first) = others.next() else { return Figures::default() };
        if let Some(name) = self.condition(OVER) {
            let all: Vec<&Series> = [first].into_iter().chain(others).collect();
            return self.over_and_least(name, &all).unwrap_or_default();
        }
        let figures = first.rows.iter().filter_map(|row| self.figure(row));
        Figures { each: figures.map(|figure| figure.max(SMALLEST)).collect(), grain: 1.0 }
    }

    /// Events of every run that it selects; empty if the system did not measure it.
    pub(super) fn counts(&self, system: &System) -> Vec<Tries> {
        let of_side =
            |run: &&&Outcome| run.is_valid() && self.is_of(&run.header.spec, system.machine);
        let of_side = system.outcomes.iter().filter(of_side);
        match self.figure.as_str() {
            "preempted" => of_side.filter_map(|run| preempted(run)).collect(),
            "missed" => of_side.filter_map(|run| self.missed(run)).collect(),
            _ => {
                let rows = self.series(system).next().map(|series| &series.rows);
                rows.into_iter().flatten().filter_map(|row| self.count(row)).collect()
            }
        }
    }

    fn series<'s, 'a: 's>(&self, system: &'s System<'a>) -> impl Iterator<Item = &'s Series<'a>> {
        let is_row = |series: &Series| match self.condition("row") {
            Some(row) => series.label == row,
            None => published::stands_beside(series),
        };
        let series = system.series.iter();
        series.filter(move |series| self.is_of(series.spec, system.machine) && is_row(series))
    }

    /// Returns the figure of every round over the values of a parameter: of the first series and those
    /// alike, or the least of all that have several values. `None` if one of these has no figure.
    fn over_and_least(&self, name: &str, all: &[&Series]) -> Option<Figures> {
        let are_alike = |a: &&Series, b: &&Series| a.is_alike_but_for_load_and(&[name], b);
        let mut lines = groups(all.iter().copied(), are_alike);
        // Where no value has the event, it is beyond the largest one.
        let has_event = |series: &&Series| {
            (0..series.rows.len()).any(|round| is_reached(&self.figure, series, round))
        };
        match self.condition(LEAST) {
            Some(_) => lines.retain(|line| line.len() > 1 && line.iter().any(has_event)),
            None => lines.truncate(1),
        }
        let figures: Option<Vec<Figures>> =
            lines.iter().map(|line| self.over(name, line)).collect();
        figures?.into_iter().reduce(Figures::least)
    }

    /// Returns the figure of every round over the values of a parameter: the least value with a
    /// missed deadline, the least with more than soft real time permits, the least with many, the
    /// ratio of the last to the first, or how many have many. `None` if a round has none: its figure is beyond the largest
    /// value, or at most the smallest.
    fn over(&self, name: &str, series: &[&Series]) -> Option<Figures> {
        let value = |series: &Series| series.spec.parameters.count(name);
        let mut series: Vec<(u64, &Series)> =
            series.iter().map(|each| (value(each), *each)).collect();
        series.sort_by_key(|(value, _)| *value);
        let rounds = series.iter().map(|(_, series)| series.rows.len()).min()?;
        // The value from which on it happens, and how many times the value before it that is.
        let first = |figure: &str, round: usize| {
            let at = series.iter().position(|(_, series)| is_reached(figure, series, round))?;
            let (below, at) = (series[at.checked_sub(1)?].0 as f64, series[at].0 as f64);
            Some((at, at / below))
        };
        let figure = |round| match self.figure.as_str() {
            "band_width" => {
                let (many, step) = first("first_many", round)?;
                let (missed, missed_step) = first("first_missed", round)?;
                Some((many / missed, step * missed_step))
            }
            "sizes_with_many" => {
                let many = series.iter().filter(|(_, tire)| is_reached("first_many", tire, round));
                Some(many.count()).filter(|many| *many > 0).map(|many| (many as f64, 1.0))
            }
            figure => first(figure, round),
        };
        let figures: Option<Vec<(f64, f64)>> = (0..rounds).map(figure).collect();
        let (each, grains): (_, Vec<f64>) = figures?.into_iter().unzip();
        Some(Figures { each, grain: grains.into_iter().fold(1.0, f64::max) })
    }

    fn count(&self, row: &Row) -> Option<Tries> {
        match self.figure.as_str() {
            "no_switch" => Some(Tries::one(row.due, row.skipped)),
            "near_median" => {
                let run = row.latency.as_ref()?;
                let median = run.quantile_ns(0.5) as f64;
                let [below, upto] = [1.0 - NEAR, 1.0 + NEAR].map(|part| part * median);
                let near = run.count_at_or_below(upto)? - run.count_at_or_below(below)?;
                Some(Tries::one(run.count(), near))
            }
            _ => None,
        }
    }

    /// Returns the deadlines of the rows of a run that count misses, such as those of all processes.
    fn missed(&self, run: &Outcome) -> Option<Tries> {
        let judged = real_time::judged(run);
        let rows = match self.condition("row") {
            None => &judged[..],
            Some("first") => judged.get(..1)?,
            Some("others") => judged.get(1..)?,
            Some(_) => return None,
        };
        real_time::together(&run.header.spec.measurement, rows)
    }

    pub(super) fn is_in_ns(&self) -> bool {
        let of_latency = ["mean", "worst", "shortest", "range", "spread"];
        of_latency.contains(&self.figure.as_str()) || self.figure.ends_with("_ns")
    }

    fn figure(&self, row: &Row) -> Option<f64> {
        let figure: fn(&Distribution) -> f64 = match self.figure.as_str() {
            "mean" => Distribution::mean_ns,
            "worst" => |run| run.max.value_ns as f64,
            "shortest" => |run| run.min.value_ns as f64,
            "range" => |run| (run.max.value_ns - run.min.value_ns) as f64,
            "worst_by_median" => |run| run.max.value_ns as f64 / run.quantile_ns(0.5) as f64,
            "spread" => |run| (run.quantile_ns(0.99) - run.quantile_ns(0.01)) as f64,
            "worst_by_handler" => {
                let handler = row.fact(&fact::BLAME)?.get("handler_worst_ns")?.as_f64()?;
                return Some(row.max_ns()? as f64 / handler);
            }
            name => return row.facts.get(name)?.as_f64(),
        };
        row.latency.as_ref().map(figure)
    }
}

/// Whether what a figure is the first value of happens in a round.
fn is_reached(figure: &str, series: &Series, round: usize) -> bool {
    let row = series.rows[round];
    let tries = real_time::together(&series.spec.measurement, &[row]).unwrap_or_default();
    match figure {
        "first_missed" => tries.missed > 0,
        "first_not_soft" => tries.share() > Limits::default().soft.share(),
        "first_many" => ManyMisses::default().is_in(tries),
        _ => false,
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Figures {
    /// One per run, above 0.
    pub(super) each: Vec<f64>,
    /// The true figure is within this factor: 1, or the distance of two values of a parameter.
    pub(super) grain: f64,
}

impl Figures {
    fn least(self, other: Self) -> Self {
        let each = self.each.into_iter().zip(other.each).map(|(a, b)| a.min(b));
        Self { each: each.collect(), grain: self.grain.max(other.grain) }
    }
}

/// Returns how many steps of a run were interrupted by another task, of those of all its threads:
/// at most one interruption counts per step. `None` without counters.
fn preempted(run: &Outcome) -> Option<Tries> {
    let threads = &run.found.threads;
    let steps = run.rows.first()?.executed * threads.len() as u64;
    let interruptions = threads.iter().map(|thread| thread.counters.involuntary_switches).sum();
    (steps > 0).then(|| Tries::one(steps, interruptions))
}

/// Returns a count of this machine; `None` if no other count differs from it.
fn count_of(name: &str, machine: &Machine) -> Option<u64> {
    let (cpus, cores) = (machine.cpus.len() as u64, machine.smt_siblings.len() as u64);
    match name {
        "cores" => (0 < cores && cores < cpus).then_some(cores),
        "cpus-1" => (cpus > 1).then_some(cpus - 1),
        "cpus" => (cpus > 1).then_some(cpus),
        "several" => (cpus > 2).then_some(cpus - 1),
        _ => Some(2 * cpus),
    }
}
