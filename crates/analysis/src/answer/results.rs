//! The answer on whatever was measured.

use doctor::Diagnosis;
use plan::{Outcome, SelfTest};

use super::deadlines::{self, Case};
use super::parts::{Answer, Standing};
use super::subject::{effort, subject};
use super::{remarks, solvers, times};
use crate::benchmark::Benchmark;
use crate::frontier::Frontier;
use crate::standards::Limits;
use crate::survey::System;
use crate::verdict::Verdict;
use crate::{self_test, words};

/// What an answer is made of.
pub(crate) struct Found<'s, 'a> {
    /// The machines with their runs.
    pub systems: &'s [System<'a>],
    /// What is said of them.
    pub verdict: &'s Verdict,
    /// What the doctor says of each.
    pub advice: &'s [&'s Diagnosis],
    /// How large a model holds.
    pub frontiers: &'s [Frontier<'a>],
    /// How solvers compare.
    pub benchmarks: &'s [Benchmark],
    /// What all is judged by.
    pub limits: &'s Limits,
}

/// The answer on the runs of machines.
pub(crate) fn of(found: &Found) -> Answer {
    let systems = found.systems;
    let outcomes: Vec<&Outcome> = systems.iter().flat_map(|s| &s.outcomes).copied().collect();
    let cases = deadlines::cases(systems, found.frontiers, found.limits);
    let judged = match cases.iter().max_by_key(|case| case.severity()) {
        Some(worst) => of_deadlines(found, &cases, worst),
        None => found
            .benchmarks
            .iter()
            .find_map(solvers::of)
            .or_else(|| of_self_test(systems, &outcomes))
            .unwrap_or_else(|| without_deadlines(systems, &outcomes)),
    };
    let alarms = remarks::alarms(found.verdict, &outcomes).into_iter();
    Answer {
        subject: subject(systems),
        effort: match judged.effort.as_str() {
            "" => effort(outcomes.iter().copied()),
            told => told.to_owned(),
        },
        remarks: alarms.chain(judged.remarks).collect(),
        ..judged
    }
}

/// What the self-test of a machine says, where nothing else was run.
fn of_self_test(systems: &[System], outcomes: &[&Outcome]) -> Option<Answer> {
    let ([tested], []) = (systems, outcomes) else {
        return None;
    };
    if tested.disturbed.is_empty() {
        return None;
    }
    let test = SelfTest::of(tested.machine_id.clone(), "", 0, tested.disturbed.clone());
    Some(self_test::glance(&test))
}

fn of_deadlines(found: &Found, cases: &[Case], worst: &Case) -> Answer {
    let telling = deadlines::telling(cases).into_iter();
    let lines = telling.map(|case| case.line.clone());
    let why = remarks::why(found.systems, found.advice, worst.standing);
    let is_good = worst.standing == Standing::Good;
    let first = remarks::first(found.advice).filter(|_| !is_good);
    let sure = remarks::sure(cases, found.limits);
    Answer {
        standing: worst.standing,
        verdict: worst.verdict.clone(),
        lines: lines.chain(times::beside(found.systems)).collect(),
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
            let first = lines.first().map(|line| line.figures.join(", "));
            let first = first.unwrap_or_else(|| "no figure".to_owned());
            (Standing::Plain, format!("{title}: {first}."))
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
