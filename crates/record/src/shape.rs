//! The shapes of facts that are lists: what each entry is.

use serde::Serialize;

/// The extremes of an interval of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StripBin {
    /// Time of the first value in the interval, in nanoseconds after the start of the run.
    pub at_ns: u64,
    /// Shortest time in the interval, in nanoseconds.
    pub min_ns: i64,
    /// Longest time in the interval, in nanoseconds.
    pub max_ns: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StolenBin {
    /// Start of an interval with steal time, in nanoseconds after the start of the run.
    pub at_ns: u64,
    /// Steal time of all CPUs of the run in the interval, in nanoseconds.
    pub stolen_ns: i64,
}

/// A step or frame that missed its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Miss {
    /// Index of the step or frame, from 0.
    pub step: i64,
    /// Its due time, in nanoseconds after the start of the run.
    pub at_ns: i64,
    /// How long after its deadline it ended, in nanoseconds.
    pub late_ns: i64,
    /// Periods skipped after it.
    pub skipped: i64,
}

/// The contests in which the thread of medium priority ran equally long.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MediumRun {
    /// Median run time of the medium thread, in nanoseconds.
    pub medium_run_ns: Option<i64>,
    /// Median time for which high waited, in nanoseconds.
    pub blocked_ns: Option<i64>,
    /// Contests with this run time of the medium thread.
    pub contests: usize,
    /// Contests in which high gave up.
    pub gave_up: i64,
}

/// What a thread did for some time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimelineBlock<'a> {
    /// Name of the thread.
    pub thread: &'a str,
    /// Index of the step among those executed, from 0.
    pub step: usize,
    /// What the thread did: lock, compute, integrate or wait (tire); inputs, call or outputs
    /// (model); or idle.
    pub phase: &'a str,
    /// Start, in nanoseconds after the due time of the worst step.
    pub from_ns: i64,
    /// End, in nanoseconds after the due time of the worst step.
    pub to_ns: i64,
}

/// Start in seconds, least value and largest value of an interval.
pub type OutputInterval = [f64; 3];

/// An output of a model over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputOverTime<'a> {
    /// Name of the output.
    pub output: &'a str,
    /// What was recorded: start in seconds, least value and largest value of consecutive intervals.
    pub intervals: Vec<OutputInterval>,
    /// The reference of `check` in the same form; null if it lacks the output.
    pub reference: Option<Vec<OutputInterval>>,
}

/// How old the outputs of a member were when another one used them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgeOfInputs<'a> {
    /// Name of the member whose outputs were used.
    pub from: &'a str,
    /// Number of uses.
    pub uses: usize,
    /// Number of uses before the source had done its first step.
    pub before_the_first: usize,
    /// Median age, in nanoseconds; null without a use.
    pub p50_ns: Option<i64>,
    /// Largest age, in nanoseconds; null without a use.
    pub max_ns: Option<i64>,
    /// Period of the source, in nanoseconds; null if it has none.
    pub period_ns: Option<i64>,
    /// Period of the source plus the longest delay of the end of one of its steps, in nanoseconds;
    /// null if it has no period.
    pub bound_ns: Option<i64>,
    /// Number of uses beyond that bound.
    pub beyond: usize,
}
