//! The answer on whatever was measured.

use doctor::Diagnosis;
use plan::Outcome;

use super::advised::Advised;
use super::deadlines::{self, Case};
use super::parts::{Answer, Line, Standing};
use super::subject::{Named, effort, named, subject};
use super::{remarks, solvers, times};
use crate::benchmark::Benchmark;
use crate::frontier::Frontier;
use crate::own_model;
use crate::standards::Limits;
use crate::survey::System;
use crate::verdict::Verdict;
use crate::words;

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
    let machines = named(systems);
    let outcomes: Vec<&Outcome> = systems.iter().flat_map(|s| &s.outcomes).copied().collect();
    let cases = deadlines::cases(&machines, found.frontiers, found.limits);
    // Of equals the first, which is the one that stands among the lines.
    let worst = cases.iter().rev().max_by_key(|case| case.severity());
    let judged = match worst {
        Some(worst) => of_deadlines(found, &machines, &cases, worst),
        None => solvers::of(&machines, found.benchmarks)
            .unwrap_or_else(|| without_deadlines(&machines, &outcomes)),
    };
    let judged = with_the_unknown(&machines, judged);
    let alarms = remarks::alarms(found.verdict, &outcomes).into_iter();
    let told = alarms.chain(remarks::of_model(&machines));
    let remarks = told.chain(judged.remarks);
    Answer {
        subject: subject(systems),
        effort: effort(outcomes.iter().copied()),
        lines: with_the_silent(&machines, judged.lines),
        remarks: remarks.chain(remarks::shared_cpu(&outcomes)).collect(),
        ..judged
    }
}

/// The same, which says first of what nothing is known, where it says anything.
fn with_the_unknown(machines: &[Named], judged: Answer) -> Answer {
    let mut outcomes = machines.iter().flat_map(|machine| &machine.system.outcomes);
    if !outcomes.any(|outcome| outcome.is_valid()) {
        return judged;
    }
    match deadlines::unknown(machines) {
        None => judged,
        Some(unknown) => Answer {
            standing: judged.standing.max(Standing::Open),
            verdict: format!("{unknown} {}", judged.verdict),
            ..judged
        },
    }
}

/// The lines, and one for each machine of which none of them tells.
fn with_the_silent(machines: &[Named], mut lines: Vec<Line>) -> Vec<Line> {
    for machine in machines.iter().filter(|machine| machine.name.is_some()) {
        let head = machine.told(String::new());
        if !lines.iter().any(|line| line.what.starts_with(&head)) {
            let figure = match machine.system.series.is_empty() {
                true => "no valid run",
                false => "nothing to tell at a glance",
            };
            lines.push(Line {
                what: head.trim_end_matches([':', ' ']).to_owned(),
                figures: vec![figure.to_owned()],
            });
        }
    }
    lines
}

fn of_deadlines(found: &Found, machines: &[Named], cases: &[Case], worst: &Case) -> Answer {
    let telling = deadlines::telling(cases).into_iter();
    let lines = telling.map(|case| case.line.clone());
    let advised = Advised::of(machines, found.advice, worst);
    let why = advised.as_ref().and_then(|one| one.why(worst.standing));
    let is_good = worst.standing == Standing::Good;
    let first = advised.as_ref().and_then(Advised::first);
    let sure = remarks::sure(worst, cases.len() > 1, found.limits);
    Answer {
        standing: worst.standing,
        verdict: worst.verdict.clone(),
        lines: lines.chain(machines.iter().flat_map(times::beside)).collect(),
        remarks: [why, first.filter(|_| !is_good), Some(sure)].into_iter().flatten().collect(),
        ..Answer::default()
    }
}

/// The verdict on runs that had no deadline, and their figures.
fn without_deadlines(machines: &[Named], outcomes: &[&Outcome]) -> Answer {
    let valid = outcomes.iter().filter(|outcome| outcome.is_valid());
    let valid: Vec<&&Outcome> = valid.collect();
    let lines: Vec<Line> = machines.iter().flat_map(times::lines).collect();
    let (standing, verdict) = match (outcomes, valid.as_slice()) {
        ([], _) => (Standing::Plain, "There is no run to tell of.".to_owned()),
        (_, []) => (Standing::Bad, "INVALID: no run can be used.".to_owned()),
        (_, [only]) => {
            let spec = &only.header.spec;
            let title = match lines.first() {
                Some(line) if own_model::is_own(spec) => {
                    format!("{}, {}", line.what, spec.asked.policy)
                }
                _ => spec.title(),
            };
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
    Answer { standing, verdict, lines, ..Answer::default() }
}
