//! Frontiers as JSON.

use record::Axis;
use serde::{Serialize, Serializer};
use serde_json::Number;
use stats::frontier::{Criterion, Demands, claims};

use super::Frontier;
use super::edges::{Edges, PROPERTIES, Property, best_threads};
use crate::capacity::{End, Grid, Line, Size};
use crate::held::{Held, name};
use crate::standards::Strictness;
use crate::survey;

/// The maps of all sizes, and every frontier that several sizes define.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Searches<'a> {
    /// Missed-deadline maps, one per group of real-time runs of a model that differ only in what
    /// was varied, number of threads and run length.
    maps: Vec<Map<'a>>,
    /// Largest tire that holds a rate, or the limit of another model, one entry for each machine,
    /// rate and set of conditions in which several sizes were tried.
    frontiers: Vec<SearchedFrontier<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Map<'a> {
    #[serde(flatten)]
    grid: &'a Grid<'a>,
    /// Largest share of missed deadlines at which a size is soft real time.
    soft_share: f64,
    /// Share of missed deadlines above which misses are many.
    many_share: f64,
    /// Sizes at which the result changes, one entry per number of threads, and one over all if
    /// there are several. Sizes are in masses, or in what was varied; null if no such size was
    /// measured.
    thresholds: Vec<Threshold>,
    /// Number of threads on which each threshold is at the largest size, the smallest such number
    /// if several tie; null if no number of threads has the threshold.
    best_threads: BestThreads,
    /// Results of each size on each number of threads; repeated runs are added up.
    cells: Vec<MapCell>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MapThreshold"))]
struct Threshold {
    /// Number of threads; null if the entry is over all of them.
    threads: Option<u64>,
    /// Number of sizes measured.
    sizes: usize,
    /// Number of sizes with a deadline miss.
    sizes_missed: usize,
    /// Number of sizes that missed a smaller share of their deadlines than some smaller size did.
    sizes_recovered: usize,
    /// First size with many misses, divided by the first size with any; null if one of the two does
    /// not exist.
    band_width: Option<f64>,
    /// Largest size that is shown to miss no deadline, if no smaller one missed; in the entry over
    /// all, on every number of threads.
    hard_real_time_up_to: Option<Number>,
    /// Largest size without a deadline miss so far, if no smaller one missed; in the entry over
    /// all, on every number of threads.
    no_miss_up_to: Option<Number>,
    /// Smallest size with a deadline miss.
    first_missed_deadline: Option<Number>,
    /// Smallest size with many deadline misses.
    first_red_dot: Option<Number>,
    /// Largest size that is soft real time; in the entry over all, on any number of threads; null
    /// if no size is, or the largest one measured still is.
    no_soft_real_time_above: Option<Number>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BestThreads {
    /// Number of threads with the largest size that is shown to miss no deadline.
    hard_real_time_up_to: Option<u64>,
    /// Number of threads with the largest size up to which no deadline was missed.
    no_miss_up_to: Option<u64>,
    /// Number of threads on which the first deadline miss comes at the largest size.
    first_missed_deadline: Option<u64>,
    /// Number of threads on which many misses begin at the largest size.
    first_red_dot: Option<u64>,
    /// Number of threads with the largest size that is soft real time.
    no_soft_real_time_above: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MapCell {
    #[serde(flatten)]
    place: Place,
    /// Number of threads.
    threads: u64,
    /// Number of runs with this size and number of threads.
    runs: u64,
    /// Number of deadlines due.
    due: u64,
    /// Number of deadlines missed.
    missed: u64,
    /// Whether these counts show, by the rule of the frontier, that the size misses no deadline.
    shown_to_hold: bool,
}

/// A place under the name of its axis.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Place {
    Masses {
        /// Size of the tire, in masses.
        masses: u64,
    },
    Value {
        /// Value of what is varied, if that is not the size of a tire.
        value: Number,
    },
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Frontier"))]
struct SearchedFrontier<'a> {
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    machine_id: &'a str,
    /// Steps per second; null if the rate was varied.
    rate_hz: Option<f64>,
    /// What was varied: `instances`, `rate`, or a variable with its first and last value; absent if
    /// it was the masses of a tire.
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<&'a Axis>,
    /// Model of the tire, or description of another model.
    model: String,
    /// Solver, policy, loads and conditions other than the default, as text.
    conditions: String,
    /// How strictly deadlines must be met.
    strictness: Strictness,
    /// Share of deadlines that may be missed.
    most_missed: f64,
    /// Total time for which a size must have kept to its limit to be shown to hold, in nanoseconds.
    held_for_ns: u64,
    /// Results for each number of threads.
    lines: Vec<FrontierLine>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FrontierLine {
    /// Number of threads.
    threads: u64,
    /// Edge above which too many deadlines are missed, whatever the cause.
    frontier: Ends,
    /// Edge above which too many deadlines are missed, not counting misses that only stalls of the
    /// platform caused; the same as `frontier` if causes were not looked for.
    but_for_platform: Ends,
    /// Edge above which more than half of the steps take longer than their period.
    steps_fit: Ends,
    /// All sizes tried, in ascending order.
    sizes: Vec<FrontierSize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Ends {
    /// Largest size shown to hold, or else the largest that seems to, if no smaller size seems to
    /// miss; null if there is none.
    held: Option<FrontierEnd>,
    /// Smallest size shown to miss, or else the smallest that seems to; null if there is none.
    missed: Option<FrontierEnd>,
    /// Larger sizes shown to hold although a smaller one seems to miss; they do not count.
    held_above: Vec<Number>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FrontierEnd {
    #[serde(flatten)]
    place: Place,
    /// Whether the runs show this end; if not, it only seems so, from too few deadlines or runs.
    shown: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FrontierSize {
    #[serde(flatten)]
    place: Place,
    /// Number of runs.
    runs: u64,
    /// Deadlines in all runs.
    due: u64,
    /// Deadlines missed.
    missed: u64,
    /// Deadlines missed that would have been met if the platform had not stalled.
    missed_while_platform_stood_still: u64,
    /// Steps executed.
    steps: u64,
    /// Steps that ended after the next one was due.
    steps_overran: u64,
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [
        "shown to hold", "seems to hold", "seems to miss", "shown to miss",
    ])))]
    /// Whether the size holds the frontier's limit of missed deadlines, and whether that is shown
    /// or only seems so.
    standing: &'static str,
    /// Lower bound of the share of deadlines missed; the bounds of all sizes of the line hold
    /// together at 95 % confidence.
    rate_lower: f64,
    /// Upper bound of the share of deadlines missed; the bounds of all sizes of the line hold
    /// together at 95 % confidence.
    rate_upper: f64,
    /// Whether runs differ more than chance allows, so that the misses of a run count together.
    runs_differ: bool,
    /// Upper bound of the share of runs with a miss, at 95 % confidence over all sizes of the line;
    /// null if a run had one.
    bad_runs_upper: Option<f64>,
    /// How much longer a step can take before 1 in 100 misses, in nanoseconds; negative if 1 in 100
    /// misses already; null if there were too few steps.
    headroom_p99_ns: Option<i64>,
    /// How much longer a step can take before the worst one misses, in nanoseconds; negative if it
    /// misses already; null if there were no steps.
    headroom_worst_ns: Option<i64>,
    /// Steal time of the measured CPUs, as the hypervisor reports it, in nanoseconds; null if it
    /// was not reported in a run.
    steal_ns: Option<u64>,
}

pub(crate) fn json<S: Serializer>(all: &[Frontier], serializer: S) -> Result<S::Ok, S::Error> {
    let frontiers = all.iter().filter(|frontier| frontier.is_searched()).map(searched).collect();
    Searches { maps: all.iter().map(map).collect(), frontiers }.serialize(serializer)
}

fn map<'a>(frontier: &'a Frontier<'a>) -> Map<'a> {
    let Frontier { grid, limits, many, .. } = frontier;
    let (edges, lines) = (frontier.edges(), grid.lines.iter());
    let best = |property: Property| best_threads(&edges, property.of);
    let [hard_real_time_up_to, no_miss_up_to, first_missed_deadline, first_red_dot, last_soft] =
        PROPERTIES.map(best);
    Map {
        grid,
        soft_share: limits.soft.share(),
        many_share: many.share(),
        thresholds: edges.iter().map(|row| threshold(&grid.axis, row)).collect(),
        best_threads: BestThreads {
            hard_real_time_up_to,
            no_miss_up_to,
            first_missed_deadline,
            first_red_dot,
            no_soft_real_time_above: last_soft,
        },
        cells: lines.flat_map(|line| cells(frontier, line)).collect(),
    }
}

fn threshold(axis: &Axis, row: &Edges) -> Threshold {
    let size = |property: Property| (property.of)(row).map(|(size, _)| number(axis, size));
    let [hard_real_time_up_to, no_miss_up_to, first_missed_deadline, first_red_dot, last_soft] =
        PROPERTIES.map(size);
    Threshold {
        threads: row.threads,
        sizes: row.sizes,
        sizes_missed: row.missed,
        sizes_recovered: row.recovered,
        band_width: row.band_width(),
        hard_real_time_up_to,
        no_miss_up_to,
        first_missed_deadline,
        first_red_dot,
        no_soft_real_time_above: last_soft,
    }
}

fn cells(frontier: &Frontier, line: &Line) -> Vec<MapCell> {
    let limits = &frontier.limits;
    let cell = |(count, size): (&u64, &Size)| {
        let demand = limits.demand(Strictness::Hard, frontier.grid.period(*count));
        let held = line.held(size, Criterion::InDeadlines, demand);
        MapCell {
            place: place(&frontier.grid.axis, *count),
            threads: line.threads,
            runs: held.tries.runs,
            due: held.tries.due,
            missed: held.tries.missed,
            shown_to_hold: held.is_shown(),
        }
    };
    line.sizes.iter().map(cell).collect()
}

fn searched<'a>(frontier: &'a Frontier<'a>) -> SearchedFrontier<'a> {
    let (grid, lines) = (&frontier.grid, frontier.grid.lines.iter());
    let spec = grid.spec;
    let is_tire = grid.axis == Axis::Masses;
    let usual = grid.axis.place(spec);
    SearchedFrontier {
        machine_id: &grid.machine_id,
        rate_hz: grid.rate().map(|_| 1e9 / grid.period(usual).0 as f64),
        over: (!is_tire).then_some(&grid.axis),
        model: if is_tire { spec.parameters.model().to_owned() } else { grid.model() },
        conditions: grid.conditions(),
        strictness: frontier.strictness,
        most_missed: frontier.demands().of(usual).most,
        held_for_ns: frontier.limits.held_for.0.0,
        lines: lines.map(|line| of_line(frontier, line)).collect(),
    }
}

fn of_line(frontier: &Frontier, line: &Line) -> FrontierLine {
    let axis = &frontier.grid.axis;
    let ends = |criterion| {
        let ends = frontier.ends(line, criterion);
        let end = |End { size, shown }| FrontierEnd { place: place(axis, size), shown };
        let above = ends.shown.held_above.iter().map(|size| number(axis, *size));
        Ends {
            held: ends.held().map(end),
            missed: ends.missed().map(end),
            held_above: above.collect(),
        }
    };
    FrontierLine {
        threads: line.threads,
        frontier: ends(Criterion::InDeadlines),
        but_for_platform: ends(Criterion::ButForPlatform),
        steps_fit: ends(Criterion::InSteps),
        sizes: line
            .sizes
            .iter()
            .map(|(count, size)| of_size(frontier, line, *count, size))
            .collect(),
    }
}

fn of_size(frontier: &Frontier, line: &Line, count: u64, size: &Size) -> FrontierSize {
    let Held { tries, bound, standing } = frontier.held(line, count);
    let [headroom_p99_ns, headroom_worst_ns] = size.headroom_ns(frontier.grid.period(count));
    FrontierSize {
        place: place(&frontier.grid.axis, count),
        runs: tries.runs,
        due: tries.due,
        missed: tries.missed,
        missed_while_platform_stood_still: size.excused,
        steps: size.steps.due,
        steps_overran: size.steps.missed,
        standing: name(standing),
        rate_lower: bound.lower,
        rate_upper: bound.upper,
        runs_differ: tries.runs_differ(),
        bad_runs_upper: tries.bad_runs(claims(line.tried())),
        headroom_p99_ns,
        headroom_worst_ns,
        steal_ns: survey::steal_ns(size.runs.iter().copied()).seen(),
    }
}

fn place(axis: &Axis, place: u64) -> Place {
    match axis {
        Axis::Masses => Place::Masses { masses: place },
        _ => Place::Value { value: number(axis, place) },
    }
}

fn number(axis: &Axis, place: u64) -> Number {
    let setting = matches!(axis, Axis::Setting(_)).then(|| Number::from_f64(axis.number(place)));
    setting.flatten().unwrap_or_else(|| place.into())
}
