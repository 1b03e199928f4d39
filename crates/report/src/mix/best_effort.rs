//! How much best-effort work fits in addition to the rates of a mix: throughput against misses, by
//! the way the work is scheduled.

use analysis::Analysis;
use analysis::best_effort::{BestEffort, Choice, Interval, findings};
use analysis::finding::{Finding, Work};
use analysis::mix::MEASUREMENT;
use analysis::phrases::{maybe, missed};
use analysis::words::{capital, counted, listed, percent, quantity, times};

use crate::answer::Line;
use crate::document::{Cell, Section, Table, TableOf};
use crate::figure;
use crate::view::{View, evidence};

/// Maximum number of choices in an answer.
const MOST: usize = 7;

const INTRODUCTION: &str = "The same rates with best-effort work, scheduled in one way after the other, \
                            alternating with runs that have none; the order was drawn for each round. The \
                            unit of analysis is the run.";

pub struct BestEffortView;

impl View for BestEffortView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let mut runs = analysis.outcomes.iter();
        let are_mixes = runs.all(|run| run.header.spec.measurement == MEASUREMENT);
        (are_mixes && !analysis.best_effort.is_empty()).then_some(1.0)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        findings(&analysis.best_effort)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let Some(tried) = analysis.best_effort.first() else { return Vec::new() };
        let choices = tried.choices.iter().filter(|choice| choice.runs > 0);
        choices.take(MOST).map(|choice| line(tried, choice)).collect()
    }

    fn sections(&self, analysis: &Analysis) -> Vec<Section> {
        let section = |(number, tried): (usize, &BestEffort)| {
            let blocks = evidence(&tried.findings(), chart(number, tried), table(tried));
            let title = format!("Best-effort work in addition to {}", listed(&tried.rates));
            Section::of(format!("best-effort-{number}"), title, INTRODUCTION, blocks)
        };
        (1..).zip(&analysis.best_effort).map(section).collect()
    }
}

fn line(tried: &BestEffort, choice: &Choice) -> Line {
    let work = match choice.work_per_s {
        Some(work) => Work { per_s: work.ends(), unit: tried.unit.clone() }.per_second(),
        None => "no work".to_owned(),
    };
    let median = maybe(choice.median, |median| format!("median {}x", times(median.times[1])));
    let figures = vec![work, missed(choice.missed, choice.due), median];
    Line { what: choice.name.clone(), figures }
}

fn chart(number: usize, tried: &BestEffort) -> Option<figure::Figure> {
    let bought = |choice: &Choice| {
        let work = choice.work_per_s.map(Interval::ends);
        Some(figure::Bought {
            name: choice.name.clone(),
            missed: choice.missed_share?.ends(),
            work_per_s: if choice.is_none() { [0.0; 3] } else { work? },
        })
    };
    let bought: Vec<figure::Bought> = tried.choices.iter().filter_map(bought).collect();
    figure::bought(
        &format!("best-effort-{number}-bought"),
        "Work and misses of each choice of scheduling; lines are 95 % intervals",
        &format!("best-effort work: {} per second", tried.unit),
        &bought,
    )
}

fn table(tried: &BestEffort) -> Table {
    let work = |choice: &Choice| {
        let why = if choice.is_none() { "there is none" } else { "fewer than two valid runs" };
        Cell::or(choice.work_per_s, why, |work| Cell::estimate(work.ends(), quantity))
    };
    let ratio = |choice: &Choice, effect| {
        let why = match choice.is_none() {
            true => "the others are compared with it",
            false => "too few samples, or no valid run",
        };
        Cell::or(effect, why, Cell::ratio)
    };
    let note = format!(
        "Ratios to runs without best-effort work; intervals at {} confidence each, for {} together.",
        percent(tried.confidence),
        counted(tried.comparisons, "comparison"),
    );
    TableOf::of(&tried.choices)
        .text("Best-effort work", |choice| &choice.name)
        .runs(|choice| (choice.runs, choice.invalid, choice.why_invalid.as_ref()))
        .number(&format!("{} per second", capital(&tried.unit)), work)
        .number("Missed", |choice| Cell::count(choice.missed))
        .bad_if(|choice| choice.missed > 0)
        .number("Due", |choice| Cell::count(choice.due))
        .detail()
        .number("Missed, share", |choice| {
            Cell::or(choice.missed_share, "no valid run", |share| {
                Cell::estimate(share.ends(), percent)
            })
        })
        .detail()
        .number(&format!("Median of {}, ratio", tried.fastest()), move |choice| {
            ratio(choice, choice.median)
        })
        .number("End of its tail, ratio", move |choice| ratio(choice, choice.tail))
        .detail()
        .note(note)
        .table("Every choice of scheduling")
}
