//! The causes of missed periods, as they are counted over days.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use blame::{Cause, LateTold, Summary};
use record::Outcome;
use serde::Serialize;

use crate::causes::{self, summary};
use crate::spacing;

/// A cause without what differs between the processes of one program: tasks of the same name and
/// policy are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissCause {
    /// The kind, as in the JSON of a run with `--blame`.
    #[serde(rename = "cause")]
    pub kind: &'static str,
    /// The task, interrupt or whatever else of this kind has a name.
    pub name: Option<String>,
    /// The policy of a task.
    pub policy: Option<String>,
    pub words: String,
}

/// The part of missed periods that one cause has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    #[serde(flatten)]
    pub cause: MissCause,
    pub missed: u64,
}

/// A cause over the whole time, with the bounds of the periods that it missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed<'s> {
    #[serde(flatten)]
    pub cause: &'s MissCause,
    pub missed_at_least: u64,
    pub missed_at_most: u64,
}

impl Share {
    fn of(cause: &Cause, missed: u64) -> Self {
        Self { cause: MissCause::of(cause), missed }
    }
}

impl MissCause {
    /// The cause of a miss whose cause was not searched for, or not found.
    pub(super) fn unknown() -> Self {
        Self { kind: "unknown", name: None, policy: None, words: "unknown".to_owned() }
    }

    pub(super) fn of(cause: &Cause) -> Self {
        let policy = match cause {
            Cause::Task(task) | Cause::KernelOrPlatform(task) => Some(task.policy.clone()),
            Cause::Unknown { .. } => return Self::unknown(),
            _ => None,
        };
        let name = cause.name().map(str::to_owned);
        Self { kind: cause.kind().name(), name, policy, words: cause.words_for(0) }
    }
}

/// Returns the causes of an interval's missed periods, the largest first. The first periods belong to
/// what was `carried` over from the interval before.
pub(super) fn causes_of(outcome: &Outcome, missed: u64, carried: Vec<Share>) -> Vec<Share> {
    let found = blamed(outcome).or_else(|| counted(outcome, missed));
    let found = found.map_or_else(Vec::new, |summary| summary.causes);
    let found = found.iter().map(|total| Share::of(&total.cause, total.missed));
    distributed(missed, carried.into_iter().chain(found))
}

/// Distributes missed periods over causes, each of which takes as many as it has; the rest is unknown.
fn distributed(missed: u64, causes: impl IntoIterator<Item = Share>) -> Vec<Share> {
    let unknown = Share { cause: MissCause::unknown(), missed };
    let mut by_cause = BTreeMap::<MissCause, u64>::new();
    let mut left = missed;
    for share in causes.into_iter().chain([unknown]) {
        let periods = share.missed.min(left);
        left -= periods;
        *by_cause.entry(share.cause).or_default() += periods;
    }
    let shares = by_cause.into_iter().map(|(cause, missed)| Share { cause, missed });
    let mut shares: Vec<Share> = shares.filter(|share| share.missed > 0).collect();
    shares.sort_by_key(|share| Reverse(share.missed));
    shares
}

/// Returns the periods that late samples of an interval missed after its end.
pub(super) fn carried_over(outcome: &Outcome, missed: u64) -> Vec<Share> {
    let spec = &outcome.header.spec;
    let period = spec.parameters.period().0.max(1);
    let periods = spec.asked.duration.0 / period;
    let Some(summary) = blamed(outcome) else { return counted_over(outcome, missed) };
    let share = |late: &LateTold| {
        let left = periods.checked_sub(1 + u64::try_from(late.index).ok()? % periods.max(1))?;
        let passed = u64::try_from(late.took_ns).ok()? / period;
        let missed = passed.checked_sub(left).filter(|missed| *missed > 0)?;
        let (cause, time) = late.shares.first()?;
        let is_main = time * 2 >= late.took_ns - summary.threshold_ns;
        is_main.then(|| Share::of(cause, missed))
    };
    summary.late_samples.iter().filter_map(share).collect()
}

/// Returns what the longest counted sample lost beyond the periods that its interval missed.
fn counted_over(outcome: &Outcome, missed: u64) -> Vec<Share> {
    let longest = counted(outcome, u64::MAX)
        .and_then(|summary| summary.causes.into_iter().max_by_key(|total| total.missed));
    let beyond = longest.map(|total| Share::of(&total.cause, total.missed.saturating_sub(missed)));
    beyond.into_iter().filter(|share| share.missed > 0).collect()
}

fn counted(outcome: &Outcome, missed: u64) -> Option<Summary> {
    let period = spacing::period(&outcome.header.spec)?;
    let samples = causes::counted(outcome.rows.first()?)?;
    Some(causes::of_counted(&samples, period.0, missed))
}

fn blamed(outcome: &Outcome) -> Option<Summary> {
    outcome.rows.first().and_then(summary)
}
