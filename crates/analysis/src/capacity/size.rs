//! Results of one size over all its runs.

use std::collections::BTreeMap;

use base::Nanos;
use blame::{Cause, Summary};
use record::{Outcome, Row, fact};
use serde_json::Value;
use stats::frontier::{Criterion, Seen};
use stats::{Distribution, Tries};

use crate::causes::summary;
use crate::quantiles::supported;
use crate::{real_time, spacing, survey};

#[derive(Debug, Clone, Default)]
pub struct Size<'a> {
    pub deadlines: Tries,
    /// Missed deadlines that would have been met without stalls of the platform.
    pub excused: u64,
    /// Runs that looked for causes.
    pub blamed: u64,
    /// Its deadlines, without the excused ones.
    pub own: Tries,
    /// Steps carried out, and those that overran.
    pub steps: Tries,
    rows: Vec<&'a Row>,
    pub(crate) runs: Vec<&'a Outcome>,
}

impl<'a> Size<'a> {
    /// Combines the runs of a size; a run without a row adds nothing.
    pub fn of(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut size = Self::default();
        for outcome in outcomes {
            if let Some(row) = outcome.rows.first() {
                size.add(outcome, row);
            }
        }
        size
    }

    pub(super) fn add(&mut self, outcome: &'a Outcome, row: &'a Row) {
        let deadlines = real_time::of_run(outcome).unwrap_or_default();
        self.deadlines.add(deadlines);
        let overran = row.fact(&fact::OVERRUNS).and_then(Value::as_u64);
        let overran = overran.unwrap_or_else(|| deadlines.missed.saturating_sub(row.skipped));
        self.steps.add(Tries::one(row.executed, overran));
        let summary = summary(row);
        self.blamed += u64::from(summary.is_some());
        let excused = summary
            .zip(spacing::period(&outcome.header.spec))
            .map_or(0, |(summary, period)| excused(row, &summary, period).min(deadlines.missed));
        self.excused += excused;
        self.own.add(Tries::one(deadlines.due, deadlines.missed - excused));
        self.rows.push(row);
        self.runs.push(outcome);
    }

    pub fn tries(&self, criterion: Criterion) -> Tries {
        match criterion {
            Criterion::InDeadlines => self.deadlines,
            Criterion::ButForPlatform => self.own,
            Criterion::InSteps => self.steps,
        }
    }

    pub fn latency(&self) -> Option<Distribution> {
        survey::merged(self.rows.iter().copied())
    }

    pub fn usual_ns(&self) -> f64 {
        self.latency().map_or(0.0, |all| all.quantile_ns(0.5) as f64)
    }

    /// Returns how much longer a step can take until 1 in 100 misses, and until the worst one
    /// misses, in nanoseconds; negative if they miss already. `None` with too few steps.
    pub fn headroom_ns(&self, period: Nanos) -> [Option<i64>; 2] {
        headroom_ns(self.latency().as_ref(), period)
    }

    pub fn seen(&self) -> Seen {
        Seen {
            deadlines: self.deadlines,
            own: self.own,
            steps: self.steps,
            usual_ns: self.usual_ns(),
        }
    }
}

/// Time from the end of 99 of 100 steps, and of the worst step, to the end of the period.
pub(crate) fn headroom_ns(latency: Option<&Distribution>, period: Nanos) -> [Option<i64>; 2] {
    let period = period.0.cast_signed();
    let p99 = latency.and_then(|all| supported(all, 0.99));
    let worst = latency.map(|all| all.max.value_ns);
    [p99.map(|ns| ns as i64), worst].map(|ns| Some(period - ns?))
}

/// Counts deadlines missed in steps that would have ended in time without stalls of the platform:
/// the periods that such a step took, or its own deadline if it took none.
fn excused(row: &Row, summary: &Summary, period: Nanos) -> u64 {
    let period = period.0.cast_signed();
    let misses = row.fact(&fact::MISSES).and_then(Value::as_array);
    let hidden: BTreeMap<i64, u64> = misses
        .into_iter()
        .flatten()
        .filter_map(|miss| Some((miss["step"].as_i64()?, miss["skipped"].as_u64()?)))
        .collect();
    let is_platform = |cause: &Cause| matches!(cause, Cause::PlatformGap | Cause::Steal);
    let excused = summary.late_samples.iter().filter(|late| {
        let shares = late.shares.iter().filter(|(cause, _)| is_platform(cause));
        let stood_still: i64 = shares.map(|(_, time)| time).sum();
        late.took_ns > period && late.took_ns - stood_still <= period
    });
    let of_step = |index| hidden.get(index).copied().unwrap_or(0).max(1);
    excused.map(|late| of_step(&late.index)).sum()
}
