//! Which sizes of a model were tried on how many threads, with the results of each.

mod line;
mod size;

pub use line::{End, Ends, Line};
pub use size::Size;
pub(crate) use size::headroom_ns;

use std::collections::{BTreeMap, BTreeSet};

use base::{Nanos, Policy};
use record::{
    Asked, Axis, LatencyHold, LoadSpec, Mode, NOWHERE, Outcome, Periods, RunSpec, Value, fact,
};
use serde::{Serialize, Serializer};

use crate::fields::NamedParameters;
use crate::lists::{each_once, found_or_new};
use crate::published::{self, Threshold};
use crate::survey::{self, Series, System};
use crate::words;

/// Simulated time of a real-fast run of the publications, in nanoseconds; and its steps.
pub const SIMULATED_NS: f64 = 60e9;
pub const SIMULATED_STEPS: f64 = 6000.0;

/// Real-time runs of a system that differ only in one axis and in threads.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grid<'a> {
    /// Name of the machine.
    pub system: String,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    pub machine_id: String,
    #[serde(flatten, serialize_with = "shared")]
    #[cfg_attr(feature = "schema", schemars(with = "SharedSpec"))]
    pub spec: &'a RunSpec,
    /// What was varied: instances, rate, or a variable with its first and last value; absent if it
    /// was the masses of a tire.
    #[serde(rename = "over", skip_serializing_if = "is_masses")]
    pub axis: Axis,
    /// One for each number of threads, rising.
    #[serde(skip)]
    pub lines: Vec<Line<'a>>,
}

pub fn is_real_time(series: &Series) -> bool {
    is_paced(series.spec)
}

fn is_paced(spec: &RunSpec) -> bool {
    spec.parameters.mode() == Some(Mode::RealTime)
}

pub(crate) fn fastest_tire<'s, 'a>(system: &'s System<'a>) -> Option<(f64, &'s Series<'a>)> {
    let rate = |series: &Series| series.mean(&fact::MASS_UPDATES_PER_S).filter(|rate| *rate > 0.0);
    let tires = system.of("tire").filter(|series| !is_real_time(series));
    let rated = tires.filter_map(|series| Some((rate(series)?, series)));
    rated.max_by(|(a, _), (b, _)| a.total_cmp(b))
}

/// Returns the grids of a machine, in the order of their first run.
pub fn grids<'a>(system: &System<'a>) -> Vec<Grid<'a>> {
    grids_of(system, system.valid())
}

pub fn grids_of<'a>(system: &System<'a>, runs: impl Iterator<Item = &'a Outcome>) -> Vec<Grid<'a>> {
    let mut grids: Vec<Grid<'a>> = Vec::new();
    for outcome in runs {
        let spec = &outcome.header.spec;
        let tried = outcome.rows.first().filter(|row| row.due > 0);
        let (Some(axis), true, Some(row)) = (Axis::of(spec), is_paced(spec), tried) else {
            continue;
        };
        let new = || Grid {
            system: system.name.clone(),
            machine_id: system.machine_id.clone(),
            spec,
            axis: axis.clone(),
            lines: Vec::new(),
        };
        let grid = found_or_new(&mut grids, |grid| grid.has(spec), new);
        let sizes = &mut grid.line(spec).sizes;
        sizes.entry(axis.place(spec)).or_default().add(outcome, row);
    }
    grids
}

/// Whether the axis is the size of a tire, which has its own field names.
fn is_masses(axis: &Axis) -> bool {
    *axis == Axis::Masses
}

/// Returns the part of a parameter's value that is the same on one map; `None` if nothing is,
/// because the parameter is an axis or the number of repeats of a cell.
fn common(axis: Option<&Axis>, name: &str, value: &Value) -> Option<Value> {
    match (axis.filter(|axis| axis.parameter() == name), value) {
        (Some(axis), Value::Word(word)) => axis.rest(word).map(Value::Word),
        (Some(_), _) => None,
        (None, _) => (!matches!(name, "threads" | "steps")).then(|| value.clone()),
    }
}

/// What is the same on a whole map.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SharedSpec<'a> {
    /// Parameters that all these runs share; names include the unit.
    parameters: NamedParameters,
    /// Scheduling policy of the measuring threads, such as `fifo:80`.
    policy: Policy,
    /// Background loads, in command-line syntax.
    loads: &'a [LoadSpec],
}

pub(crate) fn shared<S: Serializer>(spec: &&RunSpec, serializer: S) -> Result<S::Ok, S::Error> {
    let axis = Axis::of(spec);
    let values = spec.parameters.iter();
    let values = values
        .filter_map(|(name, value)| Some((name.to_owned(), common(axis.as_ref(), name, value)?)));
    let asked = &spec.asked;
    let parameters = NamedParameters::of(&values.collect::<BTreeMap<_, _>>().into());
    SharedSpec { parameters, policy: asked.policy, loads: &asked.loads }.serialize(serializer)
}

/// How a tire is solved: `simd solver`, and differences from the papers; else the model's file.
pub fn solution(spec: &RunSpec) -> Vec<String> {
    let parameters = &spec.parameters;
    let non_default = |word: &str, default: &str| {
        Some(word).filter(|word| !["", default].contains(word)).map(str::to_owned)
    };
    let substeps = parameters.substeps();
    let solver = non_default(parameters.solver(), "").map(|solver| format!("{solver} solver"));
    let files = [parameters.fmu(), parameters.library(), parameters.program()];
    let file = files.into_iter().find_map(|file| non_default(file, NOWHERE));
    let file = file.map(|file| file.rsplit('/').next().unwrap_or_default().to_owned());
    let precision = non_default(parameters.precision(), "f64");
    let barrier =
        non_default(parameters.barrier(), "spin").map(|barrier| format!("{barrier} barrier"));
    let overrun = non_default(parameters.overrun(), "skip")
        .map(|overrun| format!("{overrun} after overruns"));
    let several = (substeps > 1).then(|| format!("{substeps} sub-steps"));
    let watched = non_default(parameters.watch(), NOWHERE).map(|_| "watched".to_owned());
    let instructions = non_default(parameters.instructions(), "best");
    let warm_up = non_default(parameters.warm_up(), NOWHERE).map(|way| format!("warm-up {way}"));
    [file, solver, instructions, precision, several, barrier, overrun, warm_up, watched]
        .into_iter()
        .flatten()
        .collect()
}

/// Whether two runs differ at most in what they vary, threads and steps.
pub fn alike(a: &RunSpec, b: &RunSpec) -> bool {
    let axis = Axis::of(a);
    let same = |(name, value): (&str, &Value)| {
        let others = b.parameters.get(name);
        let common = |value: &Value| common(axis.as_ref(), name, value);
        others == Some(value) || common(value) == others.and_then(common)
    };
    a.over == b.over
        && a.parameters.iter().all(same)
        && a.files == b.files
        && a.without == b.without
        && are_asked_alike(a, b)
}

fn are_asked_alike(a: &RunSpec, b: &RunSpec) -> bool {
    let mut asked = Asked { duration: b.asked.duration, ..a.asked.clone() };
    // The CPUs may depend on the number of threads.
    if threads(a) != threads(b) {
        asked.cpus = b.asked.cpus.clone();
    }
    asked == b.asked
}

fn threads(spec: &RunSpec) -> u64 {
    spec.parameters.threads()
}

impl<'a> Grid<'a> {
    pub(crate) fn has(&self, spec: &RunSpec) -> bool {
        self.lines.iter().all(|line| alike(line.spec, spec))
    }

    fn line(&mut self, spec: &'a RunSpec) -> &mut Line<'a> {
        let threads = threads(spec);
        let place = self.lines.binary_search_by_key(&threads, |line| line.threads);
        let place = place.unwrap_or_else(|place| {
            let sizes = BTreeMap::new();
            self.lines.insert(place, Line { threads, spec, sizes });
            place
        });
        &mut self.lines[place]
    }

    pub fn sizes(&self) -> usize {
        self.lines.iter().map(|line| line.sizes.len()).sum()
    }

    /// Whether the grid is shown by size: that of a tire always, that of a user's model only if it
    /// has several sizes.
    pub fn is_shown_by_size(&self) -> bool {
        is_masses(&self.axis) || self.sizes() > 1
    }

    /// Returns every size measured on any number of threads, rising.
    pub fn distinct_sizes(&self) -> BTreeSet<u64> {
        self.lines.iter().flat_map(|line| line.sizes.keys().copied()).collect()
    }

    pub fn size_in_words(&self, size: u64) -> String {
        words::place(&self.axis, size)
    }

    pub fn periods(&self) -> Periods {
        self.axis.periods(self.spec)
    }

    pub fn period(&self, size: u64) -> Nanos {
        self.periods().of(size)
    }

    /// Returns the rate of the deadlines: `100 Hz`; `None` if the sizes are rates.
    pub fn rate(&self) -> Option<String> {
        let rate = self.spec.parameters.get("rate").map(words::value);
        rate.filter(|_| self.axis != Axis::Rate)
    }

    /// Returns the rate of the deadlines in hertz; `None` if the sizes are rates.
    pub fn rate_hz(&self) -> Option<f64> {
        let period = self.spec.parameters.rate_period();
        (self.axis != Axis::Rate && period.0 > 0).then(|| 1e9 / period.0 as f64)
    }

    /// Returns the published sizes of the same model at the same rate; none of any other axis.
    pub fn published_sizes(&self) -> impl Iterator<Item = Threshold> {
        const PERIOD: Nanos = Nanos(10_000_000);
        let is_published = is_masses(&self.axis) && self.spec.parameters.rate_period() == PERIOD;
        let model = self.spec.parameters.model();
        let published = is_published.then(published::thresholds).into_iter().flatten();
        published.filter(move |threshold| threshold.model == model)
    }

    pub fn model(&self) -> String {
        let Self { spec, axis, .. } = self;
        let parameters = &spec.parameters;
        let named = |word: &&str| !matches!(*word, "" | NOWHERE);
        if let Some(model) = Some(parameters.model()).filter(named) {
            return format!("{model} model");
        }
        let files = [parameters.fmu(), parameters.library()].into_iter().filter(named);
        let files = files.map(|path| path.rsplit('/').next().unwrap_or(path));
        let size = record::Size::of_measurement(&spec.measurement);
        let size = size.filter(|size| axis.size() != Some(*size));
        let size = size.map(|size| words::size(size, size.count(&spec.parameters)));
        let set = Some(parameters.settings()).filter(named).and_then(|set| match axis {
            Axis::Setting(_) => axis.rest(set),
            _ => Some(set.to_owned()),
        });
        let words = files.chain(Some(parameters.program()).filter(named)).map(str::to_owned);
        words.chain(size).chain(set).collect::<Vec<_>>().join(", ")
    }

    /// `1 000 Hz, balanced model, semaphore solver, fifo:80`.
    pub fn title(&self) -> String {
        let words = self.rate().into_iter().chain([self.model(), self.conditions()]);
        let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
        // The file of an external model is among its conditions too.
        each_once(words.join(", ").split(", ")).join(", ")
    }

    /// Names solver, policy, loads and unusual conditions: `simd solver, fifo:80, load cpu`.
    pub fn conditions(&self) -> String {
        let asked = &self.spec.asked;
        let usual =
            Asked { memory_lock: true, cpu_dma_latency: LatencyHold::Hold, ..asked.clone() };
        let mut words = solution(self.spec);
        words.push(asked.policy.to_string());
        words.extend(survey::told_apart(asked, &[&usual]));
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{own_model, tire};
    use crate::survey::systems;
    use stats::frontier::Edge;

    #[test]
    fn the_title_names_the_file_of_a_users_model_once() {
        let mut run = own_model("real-time", 0);
        run.header.spec.over = Some(Axis::Rate);
        let runs = [run];
        let systems = systems(&runs);
        let title = grids(&systems[0])[0].title();
        assert_eq!(title.matches("plant.fmu").count(), 1, "{title}");
    }

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
        assert_eq!(grids.len(), 1);
        let edges: Vec<_> = grids[0].lines.iter().map(Line::first_miss).collect();
        let ends = |edge: &Edge| (edge.held, edge.missed);
        assert_eq!(ends(&edges[0]), (Some(100), Some(200)));
        assert_eq!(ends(&edges[1]), (Some(400), None));
    }

    #[test]
    fn repeated_runs_add_up_and_other_conditions_have_their_own_grid() {
        let mut loaded = tire("real-time", 100, 1, 200, 3);
        loaded.header.spec.asked.loads = vec!["cpu".parse().unwrap()];
        let mut again = tire("real-time", 100, 1, 200, 2);
        again.header.run_id.push_str("-2");
        let changed = |change: fn(&mut RunSpec)| {
            let mut run = tire("real-time", 100, 1, 200, 9);
            change(&mut run.header.spec);
            run
        };
        let others = [
            changed(|spec| spec.asked.memory_lock = false),
            changed(|spec| spec.asked.cpu_dma_latency = LatencyHold::Leave),
            changed(|spec| spec.asked.beside = true),
            changed(|spec| spec.asked.cpus = "0".parse().unwrap()),
            changed(|spec| spec.without = vec![record::Right::LockedMemory]),
        ];
        // Belongs to the grid of one thread, although it has other CPUs.
        let mut on_two = tire("real-time", 100, 2, 200, 0);
        on_two.header.spec.asked.cpus = "0-1".parse().unwrap();
        let first = [on_two, tire("real-time", 100, 1, 200, 1), again, loaded];
        let runs = [first.as_slice(), &others].concat();
        let systems = systems(&runs);
        let grids = grids(&systems[0]);
        assert_eq!(grids.len(), 2 + others.len());
        let conditions: Vec<String> = grids.iter().map(Grid::conditions).collect();
        assert!(conditions[2].ends_with(", memory not locked"), "{conditions:?}");
        let counted = |grid: &Grid| {
            let tries = grid.lines[0].sizes[&100].deadlines;
            (tries.runs, tries.due, tries.missed)
        };
        assert_eq!(counted(&grids[0]), (2, 400, 3));
        assert_eq!(counted(&grids[1]), (1, 200, 3));
    }
}
