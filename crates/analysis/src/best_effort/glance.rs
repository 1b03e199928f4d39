//! Choices at first glance.

use plan::Outcome;

use super::choice::Choice;
use super::words::{remarks, verdict};
use super::{BestEffort, NONE};
use crate::answer::{Answer, Line, Standing, effort, subject};
use crate::mix::MEASUREMENT;
use crate::survey::System;
use crate::words;

/// Choices that are told by their figures.
const MOST: usize = 7;

/// How much fits, and what each choice buys.
#[must_use]
pub fn glance(systems: &[System], tried: &[BestEffort]) -> Answer {
    let subject = subject(systems);
    let effort = effort(systems.iter().flat_map(|s| &s.outcomes).copied());
    let Some(beside) = tried.first() else {
        return Answer {
            subject,
            effort,
            standing: Standing::Open,
            verdict: format!("Nothing can be said: no choice and {NONE} were measured."),
            ..Answer::default()
        };
    };
    let misses_anyway = beside.none().is_some_and(|none| none.missed > 0);
    let standing = match beside.best() {
        Some(_) if !misses_anyway => Standing::Good,
        _ => Standing::Bad,
    };
    Answer {
        subject,
        effort,
        standing,
        verdict: verdict(beside),
        lines: beside
            .choices
            .iter()
            .filter(|choice| choice.runs > 0)
            .take(MOST)
            .map(|choice| line(beside, choice))
            .collect(),
        remarks: remarks(beside),
    }
}

/// The same where all runs are mixes that were tried so.
pub(crate) fn alone(
    systems: &[System],
    outcomes: &[&Outcome],
    tried: &[BestEffort],
) -> Option<Answer> {
    let is_mix = |run: &&Outcome| run.header.spec.measurement == MEASUREMENT;
    (!tried.is_empty() && outcomes.iter().all(is_mix)).then(|| glance(systems, tried))
}

fn line(beside: &BestEffort, choice: &Choice) -> Line {
    let times = choice.median.map(|median| words::times(median.ratio));
    let work = match choice.is_none() {
        true => "no work".to_owned(),
        false => beside.work(choice),
    };
    Line {
        what: choice.name.clone(),
        figures: vec![
            work,
            format!("missed {} of {}", words::grouped(choice.missed), words::grouped(choice.due)),
            times.map_or_else(String::new, |times| format!("median {times} times")),
        ],
    }
}
