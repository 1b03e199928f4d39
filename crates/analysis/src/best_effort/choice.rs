//! One way to schedule best-effort work, and what came of it.

use plan::{Member, Outcome, RunSpec, fact};
use serde::Serialize;
use serde_json::Value;
use stats::{CONFIDENCE, Tries, mean_within};
use units::{CpuSet, Policy};

use crate::comparison::contrasts::Row;
use crate::ratio::Ratio;
use crate::survey::{System, why_invalid};

/// What runs without best-effort work are called.
pub const NONE: &str = "none";

/// How best-effort work was scheduled, and what it and the rates came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// In few words: `none`, `idle`, `other:19`, `other, at most 25 %`, `other on CPU 0`.
    pub name: String,
    /// Runs that count.
    pub runs: usize,
    /// Runs that are INVALID.
    pub invalid: usize,
    /// Why the first of them is.
    pub why_invalid: Option<String>,
    /// What the work came to in a second; null without any, or of fewer than two runs.
    pub work_per_s: Option<Interval>,
    /// Deadlines of all rates.
    pub due: u64,
    /// How many of them were missed.
    pub missed: u64,
    /// The share of them; null without a valid run.
    pub missed_share: Option<Interval>,
    /// How many times the median response of the fastest rate is that without such work.
    pub median: Option<Ratio>,
    /// How many times the end of its tail is.
    pub tail: Option<Ratio>,
}

/// A figure with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The figure.
    pub value: f64,
    /// The upper end.
    pub upper: f64,
}

impl Choice {
    /// What the runs of a choice say, whose intervals are to hold together with those of all
    /// others; `row` is what was compared of them.
    pub(super) fn of(system: &System, row: Option<&Row>, claims: usize) -> Self {
        let named = |name| row.and_then(|row| row.named(name)).and_then(Ratio::of);
        let mut tries = Tries::default();
        system.valid().for_each(|run| tries.add(deadlines(run)));
        let rate = tries.rate(claims).map(|rate| Interval {
            lower: rate.lower,
            value: rate.rate,
            upper: rate.upper,
        });
        let work: Vec<f64> = system.valid().filter_map(work).collect();
        let of_work = mean_within(&work, CONFIDENCE).map(|[lower, value, upper]| Interval {
            lower: lower.max(0.0),
            value,
            upper,
        });
        let mut invalid = system.outcomes.iter().filter(|run| !run.is_valid());
        let count = invalid.clone().count();
        Self {
            name: system.name.clone(),
            runs: system.valid().count(),
            invalid: count,
            why_invalid: invalid.next().and_then(|run| why_invalid(run)),
            work_per_s: of_work,
            due: tries.due,
            missed: tries.missed,
            missed_share: rate,
            median: named("median"),
            tail: named("tail"),
        }
    }

    /// Whether it is the runs without best-effort work.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.name == NONE
    }

    /// Whether it has work, and none of the rates missed a deadline beside it.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.work_per_s.is_some() && self.missed == 0
    }

    /// What the work came to in a second, 0 without any.
    pub(super) fn throughput(&self) -> f64 {
        self.work_per_s.map_or(0.0, |work| work.value)
    }
}

/// The members with their rows.
fn rows(run: &Outcome) -> impl Iterator<Item = (&Member, &plan::Row)> {
    run.header.spec.members.iter().zip(&run.rows)
}

/// The deadlines of all rates of a run.
fn deadlines(run: &Outcome) -> Tries {
    let paced = || rows(run).filter(|(member, _)| !member.best_effort);
    let missed = |row: &plan::Row| row.fact(&fact::MISSED).and_then(Value::as_u64);
    let due = paced().map(|(_, row)| row.due).sum();
    Tries::one(due, paced().filter_map(|(_, row)| missed(row)).sum())
}

/// What the best-effort work of a run came to in a second.
fn work(run: &Outcome) -> Option<f64> {
    let (member, row) = rows(run).find(|(member, _)| member.best_effort)?;
    let steps = row.fact(&fact::STEPS_PER_S)?.as_f64()?;
    Some(steps * masses(member).unwrap_or(1) as f64)
}

/// The masses that a step of a tire updates; `None` of any other model.
fn masses(member: &Member) -> Option<u64> {
    let masses = member.run.parameters.count("masses");
    (masses > 0).then_some(masses)
}

/// What its best-effort work is counted in.
pub(super) fn unit(spec: &RunSpec) -> &'static str {
    let work = spec.members.iter().find(|member| member.best_effort);
    match work.and_then(masses) {
        Some(_) => "mass updates",
        None => "steps",
    }
}

/// How the best-effort work of a mix is scheduled, in few words.
pub(super) fn name(spec: &RunSpec) -> String {
    let Some(member) = spec.members.iter().find(|member| member.best_effort) else {
        return NONE.to_owned();
    };
    let asked = &member.run.asked;
    let paced = spec.members.iter().filter(|other| !other.best_effort);
    let theirs: CpuSet = paced.flat_map(|other| other.run.asked.cpus.iter()).collect();
    let shares = asked.cpus.iter().any(|cpu| theirs.contains(cpu));
    let place = match shares {
        true => String::new(),
        false => format!(" on CPU {}", asked.cpus),
    };
    let limit = member.limit_percent;
    let limit = limit.map_or_else(String::new, |percent| format!(", at most {percent} %"));
    let policy = match asked.policy {
        Policy::Other { nice: None | Some(0), slice: None } => "other".to_owned(),
        policy => policy.to_string(),
    };
    format!("{policy}{place}{limit}")
}
