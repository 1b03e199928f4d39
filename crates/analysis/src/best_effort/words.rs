//! Choices in sentences.

use super::choice::{Choice, Interval};
use super::{BestEffort, NONE};
use crate::answer::Remark;
use crate::held::one_in;
use crate::ratio::Ratio;
use crate::words;

impl BestEffort {
    /// The runs without best-effort work.
    pub(super) fn none(&self) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.is_none())
    }

    /// The choice with most work beside which nothing was missed.
    pub(super) fn best(&self) -> Option<&Choice> {
        self.choices.iter().rfind(|choice| choice.fits())
    }

    /// `12.3 million mass updates a second`.
    pub(super) fn work(&self, choice: &Choice) -> String {
        let work = choice.work_per_s.map(|work| words::quantity(work.value));
        format!("{} {} a second", work.unwrap_or_else(|| "0".to_owned()), self.unit)
    }
}

/// How much fits without a miss, and under which choice.
#[must_use]
pub fn verdict(beside: &BestEffort) -> String {
    let without = beside.none().map_or(0, |none| none.missed);
    if without > 0 {
        let due = beside.none().map_or(0, |none| none.due);
        return format!(
            "The rates miss without best-effort work too: {} of {} deadlines.",
            words::grouped(without),
            words::grouped(due)
        );
    }
    match beside.best() {
        Some(best) => {
            format!("{} fit with no miss of the others so far: {}.", beside.work(best), best.name)
        }
        None => "No best-effort work that was tried fits with no miss of the others.".to_owned(),
    }
}

/// Everything that is to be said but for the verdict, each under a name.
pub(super) fn remarks(beside: &BestEffort) -> Vec<Remark> {
    let mut all = Vec::new();
    all.extend(missing(beside).map(|told| Remark::new("Missed", told)));
    all.extend(idle(beside).map(|told| Remark::new("Idle", told)));
    all.extend(slower(beside).map(|told| Remark::new("Later", told)));
    all.extend(left_out(beside).map(|told| Remark::new("Left out", told)));
    all.push(Remark::new("Sure?", how_sure(beside)));
    all
}

/// All of it, for a page and for a terminal with room.
#[must_use]
pub fn sentences(beside: &BestEffort) -> Vec<String> {
    let remarks = remarks(beside).into_iter().map(|remark| remark.sentence());
    [verdict(beside)].into_iter().chain(remarks).collect()
}

/// Beside which choices deadlines were missed.
fn missing(beside: &BestEffort) -> Option<String> {
    let missed = beside.choices.iter().filter(|choice| choice.missed > 0);
    let told: Vec<String> = missed
        .map(|choice| {
            let [missed, due] = [choice.missed, choice.due].map(words::grouped);
            format!("{missed} of {due} ({})", choice.name)
        })
        .collect();
    (!told.is_empty()).then(|| format!("{}.", words::listed(&told)))
}

/// What the idle class is against none.
fn idle(beside: &BestEffort) -> Option<String> {
    let idle = beside.choices.iter().find(|choice| choice.name == "idle")?;
    let work = idle.work_per_s?;
    let Interval { lower, upper, .. } = work;
    let [lower, upper] = [lower, upper].map(words::quantity);
    let median = idle.median.map(|median| {
        format!("; the median response of {} is {}", fastest(beside), times(&median))
    });
    Some(format!(
        "against {NONE} it gets {} ({lower} to {upper}) done{}.",
        beside.work(idle),
        median.unwrap_or_default()
    ))
}

/// Choices beside which responses are shown to take longer, the worst first.
fn slower(beside: &BestEffort) -> Option<String> {
    let longer = |choice: &&Choice| choice.median.filter(Ratio::is_worse).map(|ratio| ratio.ratio);
    let mut shown: Vec<(&Choice, f64)> =
        beside.choices.iter().filter_map(|choice| Some((choice, longer(&choice)?))).collect();
    shown.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let told: Vec<String> = shown
        .iter()
        .map(|(choice, ratio)| format!("{} times ({})", words::times(*ratio), choice.name))
        .collect();
    (!told.is_empty()).then(|| {
        format!(
            "the median response of {} is shown to be {}.",
            fastest(beside),
            words::listed(&told)
        )
    })
}

/// The fastest rate.
fn fastest(beside: &BestEffort) -> &str {
    beside.rates.first().map_or("", String::as_str)
}

/// `1.10 times (1.05 to 1.15)`.
pub(super) fn times(ratio: &Ratio) -> String {
    let [lower, times, upper] = [ratio.lower, ratio.ratio, ratio.upper].map(words::times);
    format!("{times} times ({lower} to {upper})")
}

fn left_out(beside: &BestEffort) -> Option<String> {
    let without = beside.choices.iter().filter(|choice| choice.runs == 0);
    let told: Vec<String> = without
        .map(|choice| {
            let why = choice.why_invalid.as_deref().unwrap_or("no valid run");
            format!("{}: {why}", choice.name)
        })
        .collect();
    (!told.is_empty()).then(|| told.join("; ") + ".")
}

fn how_sure(beside: &BestEffort) -> String {
    let runs = beside.choices.iter().map(|choice| choice.runs);
    let fewest = runs.filter(|runs| *runs > 0).min().unwrap_or_default();
    let bound = beside.best().and_then(|best| best.missed_share);
    let bound = bound.map(|share| {
        format!("; what missed nothing so far misses fewer than {}", one_in(share.upper))
    });
    format!(
        "runs are the unit: {} or more a choice{}. Other work, and more of it, may not fit.",
        words::counted(fewest, "run"),
        bound.unwrap_or_default()
    )
}
