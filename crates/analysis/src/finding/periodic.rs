//! Periodic work: what it is, and what it met.

use serde::Serialize;

use crate::held::{Held, from_to, one_in};
use crate::phrases::{maybe, missed, number_missed, rate, threads};
use crate::spacing::Spacing;
use crate::words::{self, grouped, quantity, time};

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
    /// The limit of lateness that ends its run, if that is all in which another one differs.
    pub stop_at_ns: Option<u64>,
}

impl Periodic {
    /// Returns `1 kHz thread, load cpu`; with several machines, after the machine's name.
    pub fn words(&self) -> String {
        let job = match &self.job {
            Job::Thread => "thread",
            Job::Frames { processes, start, fill } => {
                let fill = maybe(fill.as_ref(), |fill| format!(" of {fill}"));
                let processes = maybe(processes.as_ref(), |count| format!(" x {count}"));
                let start = maybe(start.as_ref(), |start| format!(", start {start}"));
                &format!("frames{fill}{processes}{start}")
            }
            Job::Model { name } => &format!("model {name}"),
            Job::Step { measurement, .. } => measurement,
        };
        let machine = maybe(self.machine.as_ref(), |machine| format!("{machine}: "));
        format!("{machine}{} {job}{}", rate(self.period_ns), self.conditions())
    }

    /// `, load cpu, with --blame, stop at 200 µs`.
    pub(super) fn conditions(&self) -> String {
        let loads = maybe(self.loads.as_ref(), |loads| format!(", {loads}"));
        let searched = if self.is_searched { ", with --blame" } else { "" };
        let stop = maybe(self.stop_at_ns, |ns| format!(", stop at {}", time(ns as f64)));
        loads + searched + &stop
    }

    /// Returns the job without details that a verdict omits: `1 kHz thread`.
    pub(super) fn rate_and_job(&self) -> String {
        let job = match &self.job {
            Job::Frames { .. } => Job::Frames { processes: None, start: None, fill: None },
            job => job.clone(),
        };
        Self { job, loads: None, is_searched: false, stop_at_ns: None, ..self.clone() }.words()
    }

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
    /// `0 of 60 000 missed (95 % confidence: fewer than 1 in 20 028, 180 per hour)`.
    pub fn claim(&self, due: Spacing) -> String {
        let missed = number_missed(self.missed, self.due);
        format!("{missed} (95 % confidence: {})", self.bounds(due))
    }

    /// `fewer than 1 in 20 028, 180 per hour`.
    pub fn bounds(&self, due: Spacing) -> String {
        let per_hour = |share: f64| quantity(due.per_hour(share));
        let Self { lower, upper, .. } = *self;
        let most_per_hour = per_hour(upper);
        match self.missed {
            0 => format!("fewer than {}, {most_per_hour} per hour", one_in(upper)),
            _ => format!(
                "{}, {} to {most_per_hour} per hour",
                from_to(lower, upper),
                per_hour(lower)
            ),
        }
    }

    /// `missed none of 200 steps (fewer than 1 in 67)`.
    pub(super) fn of_steps(&self) -> String {
        let upper = (self.missed == 0).then_some(self.upper);
        let bound = maybe(upper, |upper| format!(" (fewer than {})", one_in(upper)));
        let steps = if self.due == 1 { "step" } else { "steps" };
        format!("{} {steps}{bound}", missed(self.missed, self.due))
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

impl Speed {
    /// `average 5 µs`, `worst 20 µs`; or why there is none.
    pub fn figures(&self) -> Vec<String> {
        if let Some(needs) = &self.unavailable {
            return vec![words::unavailable(needs)];
        }
        let figures = [
            self.steps_per_s.map(|steps| format!("{} steps per second", quantity(steps))),
            self.average_ns.map(|ns| format!("average {}", time(ns))),
            self.worst_ns.map(|ns| format!("worst {}", time(ns as f64))),
            self.samples.map(|samples| format!("of {}", grouped(samples))),
        ];
        figures.into_iter().flatten().collect()
    }
}
