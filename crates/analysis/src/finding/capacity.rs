//! Findings about the sizes and rates that a machine holds, its models and mixes.

use plan::Axis;
use serde::Serialize;

use super::deadlines::Met;
use crate::capacity::End;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutCapacity {
    /// The sizes (or rates) of a model that hold on each number of threads, the best first.
    Sizes { of: Sizes, best: Size, shown: bool, beyond: Vec<Size>, others: Vec<Size> },
    /// No size holds that was measured; the smallest.
    NoSize { of: Sizes, smallest: Option<Size> },
    /// How fast a tire was computed, and how long 60 s of it take.
    FastestTire { updates_per_s: f64, masses: u64, threads: u64, solver: String, takes_ns: f64 },
    /// The farthest place on an axis that holds: the largest model, the highest rate.
    Edge {
        axis: Axis,
        /// The rate of the deadlines, where the axis is another one.
        rate_hz: Option<f64>,
        /// The allowed misses, in words; `None` if none are allowed.
        limit: Option<String>,
        /// `None` if nothing that was tried holds.
        held: Option<End>,
        /// `None` if it is the same on every number of threads.
        threads: Option<u64>,
    },
    /// Evidence that a place holds.
    EdgeEvidence {
        at: Point,
        missed: u64,
        due: u64,
        runs: u64,
        /// The upper end of the 95 % interval of the share of missed deadlines.
        upper: f64,
        /// That share as misses per hour.
        upper_per_hour: f64,
        /// How many places share the confidence.
        shared_by: usize,
        /// The upper end of the share of runs with a miss; `None` where one had a miss.
        bad_runs: Option<f64>,
        /// Whether runs differ by more than chance, so that the misses of a run count as one.
        runs_differ: bool,
    },
    /// Nothing was tried farther on than what holds.
    NothingBeyond { axis: Axis },
    /// Places that hold although an easier one missed.
    HeldAbove { axis: Axis, threads: u64, places: Vec<u64> },
    /// Misses at places at which a step typically fits into its period.
    Stalls {
        /// The farthest such place.
        at: Point,
        missed: u64,
        due: u64,
        steps: u64,
        /// Misses during stalls of the platform; `None` if no run looked for causes.
        excused: Option<u64>,
        /// The edge without those misses.
        held: Option<End>,
        first_missed: Option<End>,
        /// CPU time that the hypervisor reports as taken (steal).
        steal_ns: u64,
    },
    /// How much longer steps can take.
    Headroom {
        /// `None` of a model of a single size.
        at: Option<Point>,
        steps: u64,
        /// How long before their deadline 99 of 100 steps ended; below zero after it.
        p99_ns: i64,
        /// How long before its deadline the worst step ended; below zero after it.
        worst_ns: i64,
        /// A larger size that was tried, and the ratio of its step time.
        larger: Option<(End, f64)>,
    },
    /// The cost of a search.
    SearchEffort { runs: u64, measured_ns: u64 },
    /// The cost of a grid over the range of a search; `of_papers` at the resolution of the papers,
    /// if the model is theirs.
    FullGrid { axis: Axis, places: u64, of_papers: Option<u64> },
    /// A part of a search that is not finished, with the number of runs left.
    Unfinished { rate_hz: Option<f64>, threads: u64, runs: u64, time_ns: u64 },
    /// No part of a search is unfinished.
    Finished,
    /// The easiest place that was tried missed few deadlines, which ends a search for no miss.
    EndedByFewMisses { at: Point, missed: u64, due: u64 },
    /// Counts of what a model did that a real-time step should not; 0 is fine.
    ModelMisbehaved {
        steps: u64,
        /// Steps that were not made as requested, for any of the next three reasons.
        not_made: u64,
        discarded: u64,
        /// Steps that returned before their time was simulated.
        early_returns: u64,
        /// Steps that ended at another simulated time than requested.
        other_times: u64,
        /// The model's own step, of which the requested one is no multiple.
        own_step_ns: Option<f64>,
        log_lines: u64,
        /// Calls that returned a warning.
        warnings: u64,
        /// Output texts that were too long to be recorded.
        texts_cut: u64,
        threads: u64,
        /// What the switches to the model's process and back cost per step.
        switches_ns: Option<f64>,
    },
    /// Equal runs of a model had different outputs.
    OutputsDiffer { different: usize, runs: usize, steps: u64 },
    /// The model's call takes longer than what counts as late.
    CallTooLong { call_ns: f64, late_after_ns: i64 },
    /// Late steps whose main cause is the model's own code.
    LateByOwnCode { steps: u64 },
    /// Every member of a mix with a rate met all of its deadlines.
    NoMiss { rates: usize, due: u64 },
    /// Throughput of best-effort work in a mix.
    BestEffortSteps { steps_per_s: f64 },
    /// Response-time analysis of a mix compared with what was observed, contradictions first.
    Schedulability { cases: Vec<Schedulability> },
    /// Inputs, of all uses, older than the period of their source plus its longest delay.
    StaleInputs { cases: Vec<(String, u64, u64)> },
    /// No input was older than that. The member's inputs were oldest, compared with the period of
    /// their source.
    FreshInputs { oldest_in: String, age_ns: Option<i64>, period_ns: Option<i64> },
    /// The findings are about the run of a mix with the most misses.
    WorstRunOf { runs: usize },
    /// How far the findings on a single run of a mix can be trusted.
    OneRunOfMix,
    /// The fastest solvers of the tire on a machine (`None` for a single one), each with the
    /// smallest size at which it is the fastest, rising.
    FastestSolver { machine: Option<String>, solvers: Vec<(String, u64)> },
    /// Something else used the CPUs, so that rates of solvers are too low. `least` is the least share
    /// of the time for which threads had their CPUs, `enough` the share that counts as undisturbed.
    SolversDisturbed { rates: usize, of: usize, enough: f64, least: f64 },
    /// Time of each phase of a step.
    StepPhases { shares: Vec<(Phase, f64)>, step_ns: f64, first_step_ns: Option<f64> },
}

/// Members of a mix for which response-time analysis and observation agree in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Schedulability {
    pub members: Vec<String>,
    pub schedulable: bool,
    pub missed: bool,
    /// The main cause of the misses of a member that is schedulable by analysis, if traced.
    pub cause: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Call,
    Inputs,
    Outputs,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    pub axis: Axis,
    pub place: u64,
    pub threads: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sizes {
    pub measurement: String,
    /// What is varied: `size`, `rate`.
    pub noun: &'static str,
    /// The rate of all sizes, unless the rate is what is varied.
    pub rate: Option<String>,
    pub conditions: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Size {
    pub threads: u64,
    /// `None` if no size holds on this number of threads.
    pub size: Option<String>,
    pub shown: bool,
    pub met: Option<Met>,
}
