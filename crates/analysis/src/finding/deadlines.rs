//! Findings about runs, deadlines and miss rates.

use serde::Serialize;
use units::Vicinity;

use super::said::Standing;
use crate::held::{Held, one_in};
use crate::phrases::{maybe, missed, threads};
use crate::standards::Proof;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutDeadlines {
    /// Results of the deadlines of periodic work.
    Deadlines { of: Periodic, met: Met, standing: Standing, latest_ns: Option<i64> },
    /// Every run of this periodic work is INVALID.
    Unknown { of: Periodic, others: usize },
    /// The latest work without a real-time policy where other work has one, and how many other cases
    /// are not judged either.
    NotJudged { of: Periodic, policy: String, met: Met, latest_ns: Option<i64>, others: usize },
    /// The only valid run, which has no deadline.
    OnlyResult { run: String, speed: Option<Speed> },
    /// Valid runs without a deadline, and how many figures they give.
    Measured { runs: usize, figures: usize },
    /// Nothing was run.
    NoRun,
    /// Every run is INVALID.
    NoValidRun,
    /// The result of a check of deadlines.
    Checked {
        result: CheckResult,
        missed: u64,
        due: u64,
        /// Upper bound of the share that is missed, 0 to 1, with 95 % confidence.
        upper: f64,
        /// The limit that what was missed came later than; `None`: than its period.
        limit_ns: Option<u64>,
        /// How much longer to measure until it is decided.
        more_ns: Option<u64>,
        /// The misses that are allowed, as a user types them; `None`: none.
        allowed: Option<String>,
    },
    /// A limit beyond the period changes nothing.
    JudgedByPeriod { max_ns: u64, period_ns: u64 },
    /// Deadlines that passed after the end of a run, before the thread ran.
    CutOff { deadlines: u64 },
    /// Upper bound on the share of deadlines that are missed or come too late.
    MissRate {
        of: Option<Periodic>,
        upper: f64,
        runs: u64,
        limit_ns: Option<u64>,
        /// What it takes to show that it holds, if that is not shown.
        to_show: Option<Proof>,
    },
    /// Events that are rarer than this may be missed.
    RareEvents { of: Option<Periodic>, every_ns: f64 },
    /// Results of the steps of a user's own model.
    OwnModel { model: String, rate: String, met: Met, period_ns: u64 },
    /// Results of the frames of a run's processes.
    Frames {
        processes: u64,
        fill: String,
        rate: String,
        conditions: String,
        overran: u64,
        executed: u64,
        skipped: u64,
        due: u64,
        /// Frames of one process.
        each: u64,
        shown: bool,
    },
    /// The conditions with the worst wake-up of a policy.
    WorstWakeup {
        policy: String,
        period_ns: u64,
        loads: String,
        samples: u64,
        /// The highest quantile that the number of samples supports, and its value.
        share: f64,
        within_ns: i64,
        worst_ns: i64,
        worst_at_ns: u64,
        skipped: u64,
        due: u64,
    },
    /// Interrupts that did not reach their thread in time.
    InterruptsMissed { source: String, conditions: String, missed: u64, due: u64 },
    /// Average and worst times of services of the kernel.
    ServiceTimes { services: Vec<(String, f64, f64)> },
    /// Locks with which no priority inversion was seen.
    NoInversion { locks: Vec<String> },
    /// The misses of a run of a mix.
    MixResult { members: Vec<String>, missed: u64, due: u64 },
    /// Every run is part of a self-test.
    OnlySelfTests,
    /// Measurements that tables show, and no sentence.
    OnlyInTables { measurements: Vec<String> },
    /// What limits a machine, and why that matters.
    Limit { found: String, why: &'static str },
    /// When the runs were made.
    Span { runs: usize, invalid: usize, first_unix_ns: u64, last_unix_ns: u64 },
    /// The fewest samples that a wake-up figure rests on.
    FewestWakeups { samples: u64 },
    /// The fewest steps without a miss that a size rests on.
    FewestSteps { steps: u64, to_show: Proof },
    /// Nothing is known of something that was tried in these places (empty if the place is not a
    /// condition), as the first INVALID run says; `None` without any run.
    NotMeasured { what: String, places: Vec<Vicinity>, why: Option<String> },
    /// Runs whose figures are in no other finding, with cause and remedy of the first of them, where
    /// an answer has room for them.
    InvalidRuns { invalid: usize, runs: usize, cause: Option<[String; 2]> },
    /// What missed deadlines, with missed and due deadlines.
    Missed { cases: Vec<(String, u64, u64)> },
    /// The upper end of the 95 % interval of the miss rate of what missed no deadline.
    MissBound { what: String, upper: f64 },
}

/// Periodic work under one set of conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Periodic {
    /// The machine, if there are several.
    pub machine: Option<String>,
    pub period_ns: u64,
    pub job: Job,
    /// The loads during the run; `None` without any.
    pub loads: Option<String>,
    /// Whether its run searched for causes, and one that is alike otherwise did not.
    pub is_searched: bool,
}

impl Periodic {
    /// Returns the largest size that holds: `57 000 masses on 2 threads`.
    pub fn largest_size(&self) -> Option<String> {
        match &self.job {
            Job::Step { size: Some(size), threads: count, .. } => {
                Some(format!("{size} on {}", threads(*count)))
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// A thread that waits for its release.
    Thread,
    /// Frames of this number of processes, started this way, if either differs between runs, and the
    /// share of the period that they fill.
    Frames { processes: Option<String>, start: Option<String>, fill: Option<String> },
    /// A step of a user's own model.
    Model { name: String },
    /// A step of a measurement's model, and its size where one is the largest that holds.
    Step { measurement: String, size: Option<String>, threads: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Met {
    pub missed: u64,
    pub due: u64,
    pub runs: u64,
    /// The 95 % interval of the share that is missed.
    pub lower: f64,
    pub upper: f64,
}

impl Met {
    /// `missed none of 200 steps (fewer than 1 in 67)`.
    pub fn of_steps(&self) -> String {
        let upper = (self.missed == 0).then_some(self.upper);
        let bound = maybe(upper, |upper| format!(" (fewer than {})", one_in(upper)));
        format!("{} steps{bound}", missed(self.missed, self.due))
    }
}

impl From<&Held> for Met {
    fn from(held: &Held) -> Self {
        let Held { tries, bound, .. } = held;
        Self {
            missed: tries.missed,
            due: tries.due,
            runs: tries.runs,
            lower: bound.lower,
            upper: bound.upper,
        }
    }
}

/// The figures of what has no deadline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Speed {
    pub steps_per_s: Option<f64>,
    pub average_ns: Option<f64>,
    pub worst_ns: Option<i64>,
    pub samples: Option<u64>,
    /// What the measurement needs and the machine does not have.
    pub unavailable: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It is shown to hold.
    Pass,
    /// It does not hold.
    Fail,
    /// Nothing contradicts it, but it is not shown.
    NotShownYet,
    /// A run was INVALID, so nothing is known.
    Invalid,
}
