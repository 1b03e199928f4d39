//! Findings about the sizes and rates that a machine holds, its models and mixes.

use plan::Axis;
use serde::{Deserialize, Serialize};
use units::Observed;

use super::deadlines::Met;
use crate::capacity::End;

/// Threads that a model started itself, by where they could run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadsAt {
    pub policy: String,
    pub cpus: String,
    pub threads: u64,
    /// Whether a thread that steps the model has each of these CPUs, too.
    pub only_beside_steps: bool,
}

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
    NothingBeyond { axis: Axis, last: Option<u64> },
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
        steal_ns: Observed<u64>,
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
        /// Threads that it started itself.
        threads: u64,
        /// Where they could run; empty in earlier recordings.
        threads_at: Vec<ThreadsAt>,
        /// What the switches to the model's process and back cost per step.
        switches_ns: Option<f64>,
    },
    /// Equal runs of a model had different outputs.
    OutputsDiffer { different: usize, runs: usize, steps: u64 },
    /// How the recorded outputs of a model compare with a reference.
    Checked(Checked),
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

/// The comparison of recorded outputs with a reference, row by row of equal time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The file of the reference.
    pub reference: String,
    /// As typed: `REL` or `REL+ABS`.
    pub tolerance: String,
    /// How many outputs were compared.
    pub outputs: usize,
    /// Outputs that the reference lacks.
    pub not_compared: Vec<String>,
    /// Rows of the run that were compared.
    pub rows: usize,
    /// Rows of the run within the time of the reference.
    pub recorded_rows: usize,
    /// Rows of the reference within the time of the run.
    pub reference_rows: usize,
    /// Values that were compared, and how many of them differ.
    pub values: usize,
    pub differing: usize,
    pub first: Option<Difference>,
}

/// The first value that differs from its reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Time of the model in seconds.
    pub time_s: f64,
    /// Numbers from 1 of the rows of the run and of the reference.
    pub row: usize,
    pub reference_row: usize,
    pub output: String,
    /// The values as in a file of comma-separated values.
    pub value: String,
    pub reference: String,
    /// The difference of numbers, and how large it may be.
    pub difference: Option<f64>,
    pub allowed: Option<f64>,
}

impl Checked {
    /// Whether all compared values agree, and enough were compared.
    pub fn is_equal(&self) -> bool {
        self.first.is_none() && !self.is_undecided()
    }

    /// Whether too few rows of the run have a counterpart in the reference to say that they agree:
    /// less than half of the rows of that with fewer.
    pub fn is_undecided(&self) -> bool {
        let fewer = self.recorded_rows.min(self.reference_rows);
        self.first.is_none() && (self.values == 0 || 2 * self.rows < fewer)
    }
}

/// Members of a mix for which response-time analysis and observation agree in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Schedulability {
    pub members: Vec<String>,
    pub schedulable: bool,
    /// The longest delay of a start, if only that makes the first of them miss by analysis.
    pub delay_ns: Option<u64>,
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
