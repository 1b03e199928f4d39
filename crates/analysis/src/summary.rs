//! Findings about every run, for the summary in full: warnings, grades and rare times.

use std::mem::discriminant;

use crate::claims::{self, Worst};
use crate::finding::{AboutRuns, Cases, Finding, GradedCases, Met, Rare};
use crate::lists::{each_once, groups};
use crate::merit::{FiguresOfMerit, General, Merits};
use crate::real_time::{Grade, RealTime, graded};
use crate::standards::Limits;
use crate::survey::{self, Series, System};
use record::{Outcome, Warning};

/// Returns one warning of each kind with the number of others; warnings that make a run INVALID
/// come first. Notes on imported files are left out: each of them is a finding.
pub fn warnings(outcomes: &[&Outcome]) -> Vec<Finding> {
    let warnings = outcomes.iter().copied().flat_map(survey::warnings);
    let is_of_file = |warning: &&Warning| matches!(warning, Warning::ImportedAsIs { .. });
    let warnings = warnings.filter(|warning| !is_of_file(warning));
    let mut kinds = groups(warnings, |a, b| discriminant(*a) == discriminant(*b));
    kinds.sort_by_key(|kind| !kind[0].invalidates());
    let first = |kind: Vec<&Warning>| AboutRuns::Warnings {
        warning: kind[0].clone(),
        more: kind.len() - 1,
    };
    kinds.into_iter().map(first).map(Finding::Runs).collect()
}

/// Returns each row that this machine cannot measure, with its requirements.
pub fn unavailable(outcomes: &[&Outcome]) -> Vec<Finding> {
    let lacking = outcomes.iter().flat_map(|outcome| {
        outcome.rows.iter().filter_map(|row| {
            Some(Finding::Runs(AboutRuns::NotAvailable {
                measurement: outcome.header.spec.measurement.clone(),
                row: row.label.clone(),
                needs: row.unavailable.clone()?,
            }))
        })
    });
    each_once(lacking)
}

/// Returns the general figures of each system that has any, without predictability: it rewards
/// outliers, so it is shown only next to the papers' predictability.
pub fn figures_of_merit(figures: &FiguresOfMerit) -> Vec<Finding> {
    let finding = |merits: &Merits| {
        let General { merit, cases, .. } = merits.general.as_ref()?;
        Some(Finding::Runs(AboutRuns::Merits {
            machine: merits.system.clone(),
            efficiency_ns: merit.efficiency_ns,
            variation_ns: merit.variation_ns,
            cases: *cases,
        }))
    };
    figures.systems.iter().filter_map(finding).collect()
}

/// Returns, for the longest runs of wake-ups and frames, what is exceeded once per hour or more
/// rarely, or why the data do not show it.
pub fn beyond(systems: &[System]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for system in systems {
        for name in ["wakeup", "frame"] {
            let rare = system.of(name).filter_map(rare_time);
            findings.extend(rare.max_by_key(|(samples, _)| *samples).map(|(_, finding)| finding));
        }
    }
    findings
}

/// Returns a finding, and the number of samples behind it.
fn rare_time(series: &Series) -> Option<(u64, Finding)> {
    let latency = series.latency.as_ref()?;
    let rare = match claims::worst(&series.rows)? {
        Worst::Unknown => return None,
        Worst::Refused(refusal) => Rare::Refused(refusal.clone()),
        Worst::Fitted(fit) => match (fit.levels.first(), fit.out_of_reach.first()) {
            (Some(level), _) => Rare::Exceeded(level.clone()),
            (None, Some(level)) => Rare::OutOfReach(level.clone()),
            (None, None) => return None,
        },
    };
    let finding = AboutRuns::RareTime {
        measurement: series.spec.measurement.clone(),
        row: series.label.to_owned(),
        conditions: series.conditions(&[]),
        rare,
    };
    Some((latency.count(), Finding::Runs(finding)))
}

/// Returns a finding for each measurement of a machine with deadlines: the number of cases without
/// a miss, then each other case.
pub fn real_time(system: &System, limits: &Limits) -> Vec<Finding> {
    let finding = |(name, judged): (&str, Vec<(&Series, RealTime)>)| {
        let peers: Vec<&Series> = judged.iter().map(|(series, _)| *series).collect();
        let (clean, others): (Vec<_>, Vec<_>) =
            judged.iter().partition(|(_, real_time)| real_time.grade == Grade::Hard);
        let alike = clean.chunk_by(|(_, a), (_, b)| a.is_shown() == b.is_shown());
        let alike = alike.filter_map(|alike| in_cases(alike, judged.len()));
        let others = others.iter().map(|(series, real_time)| {
            let row = series.label.to_owned();
            graded_cases(real_time, Cases::One { row, conditions: series.conditions(&peers) })
        });
        let cases = alike.chain(others).collect();
        Finding::Runs(AboutRuns::Grades { measurement: name.to_owned(), cases })
    };
    graded(system, limits).into_iter().map(finding).collect()
}

/// Returns the number of cases without a deadline miss, and the weakest claim among them.
fn in_cases(alike: &[(&Series, RealTime)], all: usize) -> Option<GradedCases> {
    let claims = alike.iter().map(|(_, real_time)| real_time);
    let upper = |real_time: &RealTime| real_time.held.bound.upper;
    let weakest = claims.max_by(|a, b| upper(a).total_cmp(&upper(b)))?;
    Some(graded_cases(weakest, Cases::Clean { cases: alike.len(), all }))
}

fn graded_cases(real_time: &RealTime, which: Cases) -> GradedCases {
    let met = Met::from(&real_time.held);
    GradedCases { verdict: real_time.verdict(), which, met, due: real_time.due }
}
