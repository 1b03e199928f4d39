//! The answer on whatever was measured.

use plan::Outcome;

use super::deadlines::{self, Case};
use super::parts::{Answer, Standing};
use super::subject::{effort, subject};
use super::{remarks, solvers, times};
use crate::benchmark;
use crate::standards::Standards;
use crate::survey::System;
use crate::verdict::Verdict;
use crate::words;

/// The answer on the runs of machines, whose verdict is this one.
#[must_use]
pub fn of(systems: &[System], verdict: &Verdict, standards: &Standards) -> Answer {
    let outcomes: Vec<&Outcome> = systems.iter().flat_map(|s| &s.outcomes).copied().collect();
    let cases = deadlines::cases(systems, standards);
    let judged = match cases.iter().max_by_key(|case| case.severity()) {
        Some(worst) => of_deadlines(systems, &cases, worst, standards),
        None => systems
            .iter()
            .find_map(benchmark::of)
            .and_then(|raced| solvers::of(&raced))
            .unwrap_or_else(|| without_deadlines(systems, &outcomes)),
    };
    let alarms = remarks::alarms(verdict, &outcomes).into_iter();
    Answer {
        subject: subject(systems),
        effort: effort(outcomes.iter().copied()),
        remarks: alarms.chain(judged.remarks).collect(),
        ..judged
    }
}

fn of_deadlines(systems: &[System], cases: &[Case], worst: &Case, standards: &Standards) -> Answer {
    let telling = deadlines::telling(cases).into_iter();
    let lines = telling.map(|case| case.line.clone());
    let why = remarks::why(systems, worst.standing);
    let first = remarks::first(systems);
    let sure = remarks::sure(cases, &standards.limits);
    Answer {
        standing: worst.standing,
        verdict: worst.verdict.clone(),
        lines: lines.chain(times::beside(systems)).collect(),
        remarks: [why, first, sure].into_iter().flatten().collect(),
        ..Answer::default()
    }
}

/// The verdict on runs that had no deadline, and their figures.
fn without_deadlines(systems: &[System], outcomes: &[&Outcome]) -> Answer {
    let valid = outcomes.iter().filter(|outcome| outcome.is_valid());
    let valid: Vec<&&Outcome> = valid.collect();
    let lines = times::lines(systems);
    let (standing, verdict) = match (outcomes, valid.as_slice()) {
        ([], _) => (Standing::Plain, "There is no run to tell of.".to_owned()),
        (_, []) => (Standing::Bad, "INVALID: no run can be used.".to_owned()),
        (_, [only]) => {
            let title = only.header.spec.title();
            let told = format!("Measured {title}; it has no deadline to miss.");
            (Standing::Plain, told)
        }
        (_, several) => {
            let runs = words::counted(several.len(), "run");
            let rows = words::counted(lines.len(), "figure");
            let told = format!("Measured in {runs}: {rows}, none with a deadline.");
            (Standing::Plain, told)
        }
    };
    Answer {
        standing,
        verdict,
        lines,
        ..Answer::default()
    }
}
