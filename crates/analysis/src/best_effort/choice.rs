//! One way to schedule best-effort work, and its results.

use base::Policy;
use record::{Member, Outcome, RunSpec, fact};
use serde::Serialize;
use stats::{CONFIDENCE, MissRate, Tries, mean_within};

use crate::comparison::contrasts::Row;
use crate::effect::{Effect, as_ratio};
use crate::real_time;
use crate::survey::System;

pub const NONE: &str = "none";

/// How best-effort work was scheduled, with its results and those of the rates.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// Short name of the way, such as `none`, `idle`, `other:19` or `other, at most 25 %`.
    pub name: String,
    /// Valid runs.
    pub runs: usize,
    /// INVALID runs.
    pub invalid: usize,
    /// Why the first INVALID run is INVALID; null if there is none.
    pub why_invalid: Option<String>,
    /// Work per second, in `unit`; null if there is no work or fewer than two valid runs.
    pub work_per_s: Option<Interval>,
    /// Deadlines of all members with a rate.
    pub due: u64,
    /// Deadlines missed.
    pub missed: u64,
    /// Share of deadlines missed; the intervals of all ways hold together at 95 % confidence; null
    /// if there is no valid run.
    pub missed_share: Option<Interval>,
    /// Median response time of the fastest rate, in nanoseconds, relative to runs without
    /// best-effort work; null if it was not compared.
    #[serde(serialize_with = "as_ratio")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::effect::Ratio>"))]
    pub median: Option<Effect>,
    /// End of the tail of that response time, in nanoseconds, relative to runs without best-effort
    /// work; null if it was not compared.
    #[serde(serialize_with = "as_ratio")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::effect::Ratio>"))]
    pub tail: Option<Effect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end of the 95 % interval.
    pub lower: f64,
    /// Estimate of the figure.
    pub value: f64,
    /// Upper end of the 95 % interval.
    pub upper: f64,
}

impl Interval {
    pub fn ends(self) -> [f64; 3] {
        [self.lower, self.value, self.upper]
    }
}

impl Choice {
    /// Its intervals hold together with those of all other choices; `row` compares its figures.
    pub(super) fn of(system: &System, row: Option<&Row>, claims: usize) -> Self {
        let named = |name| row.and_then(|row| row.known(name));
        let mut tries = Tries::default();
        system.valid().filter_map(real_time::of_run).for_each(|run| tries.add(run));
        let work: Vec<f64> = system.valid().filter_map(work).collect();
        Self {
            name: system.name.clone(),
            runs: system.valid().count(),
            invalid: system.invalid().count(),
            why_invalid: system.why_invalid(),
            work_per_s: mean_within(&work, CONFIDENCE).map(|[lower, value, upper]| Interval {
                lower: lower.max(0.0),
                value,
                upper,
            }),
            due: tries.due,
            missed: tries.missed,
            missed_share: tries
                .rate(claims)
                .map(|MissRate { lower, rate: value, upper }| Interval { lower, value, upper }),
            median: named("median"),
            tail: named("tail"),
        }
    }

    pub fn is_none(&self) -> bool {
        self.name == NONE
    }

    /// Whether best-effort work ran and no rate missed a deadline.
    pub fn fits(&self) -> bool {
        self.work_per_s.is_some() && self.missed == 0
    }

    pub(super) fn throughput(&self) -> f64 {
        self.work_per_s.map_or(0.0, |work| work.value)
    }
}

fn work(run: &Outcome) -> Option<f64> {
    let mut rows = run.header.spec.members.iter().zip(&run.rows);
    let (member, row) = rows.find(|(member, _)| member.best_effort)?;
    let steps = row.fact(&fact::STEPS_PER_S)?.as_f64()?;
    Some(steps * masses(member).unwrap_or(1) as f64)
}

/// Returns the masses that a step of a tire updates; `None` for any other model.
fn masses(member: &Member) -> Option<u64> {
    Some(member.run.parameters.masses()).filter(|masses| *masses > 0)
}

pub(super) fn unit(spec: &RunSpec) -> &'static str {
    let work = spec.members.iter().find(|member| member.best_effort);
    if work.and_then(masses).is_some() { "mass updates" } else { "steps" }
}

pub(super) fn name(spec: &RunSpec) -> String {
    let Some(member) = spec.members.iter().find(|member| member.best_effort) else {
        return NONE.to_owned();
    };
    let asked = &member.run.asked;
    let mut paced = spec.members.iter().filter(|other| !other.best_effort);
    let shares = paced.any(|other| asked.cpus.iter().any(|cpu| other.run.asked.cpus.contains(cpu)));
    let place = if shares { String::new() } else { format!(" on CPU {}", asked.cpus) };
    let limit = member.limit_percent.map(|percent| format!(", at most {percent} %"));
    let policy = match asked.policy {
        Policy::Other { nice: None | Some(0), slice: None } => "other".to_owned(),
        policy => policy.to_string(),
    };
    format!("{policy}{place}{}", limit.unwrap_or_default())
}
