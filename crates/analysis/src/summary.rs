//! Warnings and figures of outcomes as sentences, for the summary.

use std::mem::discriminant;

use crate::claims::{self, Worst};
use crate::finding::Met;
use crate::lists::{each_once, groups};
use crate::merit::{FiguresOfMerit, General, Merits};
use crate::phrases::{joined, maybe, some, warned};
use crate::real_time::{Grade, RealTime, graded};
use crate::standards::Limits;
use crate::survey::{self, Series, System};
use crate::words::{self, counted, grouped};
use record::{Outcome, Warning};

/// Returns one warning of each kind with the number of others; warnings that make a run INVALID
/// come first. Notes on imported files are left out: each of them is a finding.
pub fn warnings(outcomes: &[&Outcome]) -> Vec<String> {
    let warnings = outcomes.iter().copied().flat_map(survey::warnings);
    let is_of_file = |warning: &&Warning| matches!(warning, Warning::ImportedAsIs { .. });
    let warnings = warnings.filter(|warning| !is_of_file(warning));
    let mut kinds = groups(warnings, |a, b| discriminant(*a) == discriminant(*b));
    kinds.sort_by_key(|kind| !kind[0].invalidates());
    let sentence = |kind: Vec<&Warning>| {
        let warning = kind[0];
        let mark = if warning.invalidates() { "INVALID: " } else { "" };
        let more = maybe(some(kind.len() - 1), |more| format!(" (and {more} more of this kind)"));
        mark.to_owned() + &warned(&(warning.cause() + &more), &warning.remedy())
    };
    kinds.into_iter().map(sentence).collect()
}

/// Returns each row that this machine cannot measure, with its requirements.
pub fn unavailable(outcomes: &[&Outcome]) -> Vec<String> {
    each_once(outcomes.iter().flat_map(|outcome| {
        outcome.rows.iter().filter_map(|row| {
            let needs = row.unavailable.as_ref()?;
            Some(format!("{}, {}: {needs}.", outcome.header.spec.measurement, row.label))
        })
    }))
}

/// Returns the general figures of each system that has any, without predictability: it rewards
/// outliers, so it is shown only next to the papers' predictability.
pub fn figures_of_merit(figures: &FiguresOfMerit) -> Vec<String> {
    let sentence = |merits: &Merits| {
        let General { merit, cases, .. } = merits.general.as_ref()?;
        Some(format!(
            "{}: efficiency {}, variation {}; averages over {}.",
            merits.system,
            words::time(merit.efficiency_ns),
            words::time(merit.variation_ns),
            counted(*cases, "test and load").replace("test and loads", "tests and loads"),
        ))
    };
    figures.systems.iter().filter_map(sentence).collect()
}

/// Returns, for the longest runs of wake-ups and frames, what is exceeded once per hour or more
/// rarely, or why the data do not show it.
pub fn beyond(systems: &[System]) -> Vec<String> {
    let mut sentences = Vec::new();
    for system in systems {
        for name in ["wakeup", "frame"] {
            let exceeded = system.of(name).filter_map(beyond_seen);
            sentences
                .extend(exceeded.max_by_key(|(samples, _)| *samples).map(|(_, sentence)| sentence));
        }
    }
    sentences
}

/// Returns a sentence, and the number of samples behind it.
fn beyond_seen(series: &Series) -> Option<(u64, String)> {
    let latency = series.latency.as_ref()?;
    let says = match claims::worst(&series.rows)? {
        Worst::Unknown => return None,
        Worst::Refused(refusal) => format!("no claim, {}", claims::refusal(refusal)),
        Worst::Fitted(fit) => match (fit.levels.first(), fit.out_of_reach.first()) {
            (Some(level), _) => {
                let (lower, upper) = (Some(level.lower_ns), Some(level.upper_ns));
                let value = claims::with_interval(level.value_ns, lower, upper);
                format!("{} {value}, at 95 % confidence", claims::once(level.once))
            }
            (None, Some(level)) => {
                let why = claims::out_of_reach(level);
                format!("no claim, {} is {why}", claims::once(level.once))
            }
            (None, None) => return None,
        },
    };
    let (name, label) = (&series.spec.measurement, words::label(series.label));
    let sentence = format!("`{name}`, {label} ({}): {says}.", series.conditions(&[]));
    Some((latency.count(), sentence))
}

/// Returns a sentence for each measurement of a machine with deadlines: the number of cases without
/// a miss, then each other case.
pub fn real_time(system: &System, limits: &Limits) -> Vec<String> {
    let sentence = |(name, judged): (&str, Vec<(&Series, RealTime)>)| {
        let peers: Vec<&Series> = judged.iter().map(|(series, _)| *series).collect();
        let (clean, others): (Vec<_>, Vec<_>) =
            judged.iter().partition(|(_, real_time)| real_time.grade == Grade::Hard);
        let alike = clean.chunk_by(|(_, a), (_, b)| a.is_shown() == b.is_shown());
        let alike = alike.filter_map(|alike| in_cases(alike, judged.len()));
        let others = others.iter().map(|(series, real_time)| {
            let (label, conditions) = (words::label(series.label), series.conditions(&peers));
            let claim = Met::from(&real_time.held).claim(real_time.due);
            format!("{} with {label} ({conditions}): {claim}", real_time.verdict())
        });
        format!("`{name}` {}.", joined(alike.chain(others), "; "))
    };
    graded(system, limits).into_iter().map(sentence).collect()
}

/// Returns the number of cases without a deadline miss, and the weakest claim among them.
fn in_cases(alike: &[(&Series, RealTime)], all: usize) -> Option<String> {
    let claims = alike.iter().map(|(_, real_time)| real_time);
    let upper = |real_time: &RealTime| real_time.held.bound.upper;
    let weakest = claims.max_by(|a, b| upper(a).total_cmp(&upper(b)))?;
    let cases = maybe((all != 1).then_some(all), |all| {
        format!(" in {} of {}", grouped(alike.len() as u64), counted(all, "case"))
    });
    let claim = Met::from(&weakest.held).claim(weakest.due);
    Some(format!("{}{cases}: {claim}", weakest.verdict()))
}
