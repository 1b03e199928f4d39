//! Findings about differences between systems, settings, neighbours and best-effort work.

use serde::Serialize;
use units::{Policy, Vicinity};

use crate::comparison::contrasts::Across;
use crate::effect::{Effect, Quality, as_ratio};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutEffects {
    /// Nothing can be concluded.
    Inconclusive { why: Why },
    /// What decides that.
    ToDecide { why: Why },
    /// The neighbour that harms most; `ratio` is the figure with it, divided by that without.
    WorstNeighbour { neighbour: String, place: Vicinity, figure: Compared, ratio: f64 },
    /// No neighbour is shown to harm.
    NoHarm,
    /// The run that the findings are about.
    Run { run: String },
    /// The findings are about one table of several.
    FirstTableOf { tables: usize },
    /// The work per second at which a load begins to harm.
    HarmBegins {
        neighbour: String,
        place: Vicinity,
        /// The least work per second that harms.
        harmful_per_s: f64,
        /// The most work per second that shows no harm.
        harmless_per_s: Option<f64>,
        unit: String,
    },
    /// No effect of these was detected, wherever they ran.
    NoEffectDetected { neighbours: Vec<String> },
    /// A figure is better with these loads, in these places, than without.
    Better { neighbours: Vec<String> },
    /// How a system differs from the one that it is compared with.
    PairCompared {
        /// The reference and the other.
        names: [String; 2],
        rows: usize,
        /// Whether no row has several runs on both sides.
        is_single: bool,
        speed: QualityCompared,
        steadiness: QualityCompared,
    },
    /// The two have no rows with equal conditions. Some match if rows may differ in these fields;
    /// empty where none helps.
    NoEqualRows { names: [String; 2], fields: Vec<String> },
    /// The clocks of the two differ.
    NotComparable { names: [String; 2] },
    /// The rows that are compared, and those that only one side has.
    Matched { names: [String; 2], rows: usize, across: Vec<Across>, alone: [usize; 2] },
    /// The variants that none is shown to be better than, each having been compared with each.
    Best { quality: Quality, unbeaten: Vec<String>, variants: usize },
    /// One system is compared by what varies in its runs.
    Variants { by: Vec<String>, names: Vec<String>, also: Vec<String>, left_out: usize },
    /// The measurements in which two systems differ.
    ByMeasurement { names: [String; 2], measurements: Vec<MeasurementCompared> },
    /// Rows with one run on a side; `from_parts` if the variation comes from parts of runs, since no
    /// row has several runs.
    SingleRuns { names: [String; 2], rows: usize, from_parts: bool },
    /// The error rate that a test of several figures controls.
    Tested { comparisons: usize, margin: f64 },
    /// Figures that need no test, since equal runs are equal.
    Exact { figures: usize, margin: f64 },
    /// Systems that were measured one after the other, not interleaved.
    NotInTurns { pairs: Vec<[String; 2]> },
    /// Published systems are shown too.
    PublishedFigures { systems: Vec<String> },
    /// None of the requested publications has a figure of what was measured.
    NoPublishedFigures,
    /// Loads that the lab cannot run, each with the reason.
    LoadsNotCarried { loads: Vec<(&'static str, &'static str)> },
    /// Loads under which a system has no deciding wake-up.
    WakeupsMissing { system: String, loads: Vec<String> },
    /// The worst wake-up of each system, the shortest first.
    WorstWakeups { policy: Policy, loads: usize, without_load: bool, worst: Vec<WorstCase> },
    /// The longest interrupt latency to a thread on each system, the shortest first.
    WorstInterrupts { worst: Vec<WorstCase> },
    /// Systems with real-time wake-ups that took longer than the limit, and those without.
    LateWakeups { limit_ns: f64, late: Vec<(String, Vec<LateWakeup>)>, never: Vec<String> },
    /// How many machines that differ only in chance were measured of each system of the lab.
    Draws { draws: usize },
    /// The system whose worst case is the shortest in every draw; `ratio` is the least worst case of
    /// the next, divided by its own longest. The least steady of three or more systems is `last`,
    /// with its ratio.
    Steadiest { system: String, next: String, ratio: f64, last: Option<(String, f64)> },
    /// Figures without load: those of a stock kernel, then those of the steadiest system.
    PriceOfSteadiness {
        steadiest: String,
        stock: String,
        prices: Vec<(Price, [f64; 2])>,
        /// The geometric mean of the ratios of messages, and the number of tests.
        messages: Option<(f64, usize)>,
    },
    /// Some systems count instructions, others measure time.
    ClocksDiffer { counting: Vec<String>, measuring: Vec<String> },
    /// How the lab counts time on these systems (empty where on all): in nanoseconds per instruction,
    /// where they are known and the same.
    InstructionClock { systems: Vec<String>, ns: Option<u64> },
    /// A row that is worse than in the reference.
    WorseRow {
        names: [String; 2],
        measurement: String,
        label: String,
        conditions: String,
        /// Names of figures with their ratios.
        figures: Vec<(&'static str, f64)>,
    },
    /// Settings that are shown to help, with what all do together where that was tried.
    SettingsHelp { settings: Vec<String>, together: Vec<Effect> },
    /// No setting is shown to help.
    NoSettingHelps { harmful: Vec<String> },
    /// Each setting helps alone, but not all together.
    NotTogether { settings: Vec<String>, together: Vec<Effect> },
    /// Two settings whose joint effect is not the sum of both.
    PairEffect { settings: [String; 2], both: Vec<Effect>, extra: Effect },
    /// Results of the controls of an experiment.
    Controls {
        positive_detected: bool,
        sham_detected: bool,
        figure: &'static str,
        /// The least difference that such an experiment detects with [`POWER`](crate::effect::POWER).
        detectable_ns: f64,
    },
    /// How far the comparisons can be trusted.
    Evidence {
        comparisons: usize,
        reference_runs: usize,
        /// Valid runs of the other side with the fewest.
        least_runs: usize,
        /// Intervals of the controls that do nothing.
        shams: Vec<[f64; 2]>,
        /// The figure that these are of.
        figure: Compared,
    },
    /// The rates miss deadlines without best-effort work too.
    MissesWithoutWork { missed: u64, due: u64 },
    /// The most best-effort work with which no rate missed a deadline.
    MostWork { choice: String, work: Work },
    /// With every choice of scheduling some rate missed a deadline.
    NoWorkFits,
    /// Throughput of work under the idle policy.
    IdleWork {
        work: Work,
        /// How the median response changes, where that was compared.
        #[serde(serialize_with = "as_ratio")]
        median: Option<Effect>,
        /// The rate of that median.
        rate: String,
    },
    /// Choices that lengthen the median response of this rate, with the ratio of the medians, the
    /// largest first.
    Slower { rate: String, choices: Vec<(String, f64)> },
}

/// Work per second, with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Work {
    /// Lower end, estimate, upper end.
    pub per_s: [f64; 3],
    pub unit: String,
}

/// The result for one quality of a system compared with another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityCompared {
    pub worse: Option<Extent>,
    pub better: Option<Extent>,
    pub no_difference: usize,
    /// Rows without enough evidence.
    pub not_decided: usize,
}

/// Where figures differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extent {
    pub rows: usize,
    pub figures: Vec<&'static str>,
    /// The least and the largest figure, each divided by that of the reference.
    pub ratios: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasurementCompared {
    pub measurement: String,
    pub rows: usize,
    pub worse: usize,
    pub better: usize,
}

/// A figure that steadiness may worsen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Price {
    /// The average wake-up under the default policy, in nanoseconds.
    Wakeup,
    /// From a timer interrupt to its thread, in nanoseconds.
    TimerInterrupt,
    MassUpdates,
}

/// The longest time of a system, and under what it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorstCase {
    pub system: String,
    /// The longest of all draws.
    pub ns: f64,
    /// The worst case of the draw with the shortest one.
    pub least_ns: f64,
    pub under: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LateWakeup {
    pub load: String,
    pub ns: f64,
    pub period_ns: f64,
}

/// A reason why nothing can be concluded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Why {
    /// One of the two sides of a comparison was not measured.
    NothingToCompare,
    /// No control that does nothing was measured.
    NoSham,
    /// Controls of an experiment could not be set.
    ControlsNotSet { controls: Vec<String> },
    /// The experiment ended before its controls were tried.
    Unfinished,
    /// An experiment shows an effect of the sham.
    ShamDetected,
    /// An experiment shows no effect of a disturbance that is there.
    PositiveControlMissed,
    /// The control that does nothing differs from quiet runs in this figure, by a ratio in this
    /// interval.
    ShamDiffers { figure: Compared, interval: [f64; 2] },
}

/// A figure that runs are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// The odds of a missed deadline.
    MissOdds,
    P999,
    P99,
    Median,
}
