//! How much best-effort work fits beside the rates of a mix: throughput against misses, choice by
//! choice.

use analysis::best_effort::{BestEffort, Choice, Interval, sentences};
use analysis::words;

use super::ratio::times;
use crate::document::{Block, Cell, Column, Line, Section, Table};
use crate::figure;

const INTRODUCTION: &str = "The same rates with best-effort work beside them, scheduled in one way after the \
                            other, in turns with runs that have none, in an order drawn for each round. Runs \
                            are the unit of what the work came to, and of how many times a response is.";

/// A section for each mix that was tried so.
pub(crate) fn shown(tried: &[BestEffort]) -> Vec<Section> {
    let section = |(number, beside): (usize, &BestEffort)| {
        let notes = Block::notes("", sentences(beside));
        let chart = chart(number, beside).map(Block::Figure);
        let blocks = [notes].into_iter().chain(chart);
        Section::of(
            format!("best-effort-{number}"),
            format!("Best-effort work beside {}", words::listed(&beside.rates)),
            INTRODUCTION,
            blocks.chain([Block::Table(table(beside))]).collect(),
        )
    };
    (1..).zip(tried).map(section).collect()
}

/// Throughput against misses.
fn chart(number: usize, beside: &BestEffort) -> Option<figure::Figure> {
    let bought = |choice: &Choice| {
        let nothing = Interval { lower: 0.0, value: 0.0, upper: 0.0 };
        let work = match choice.is_none() {
            true => Some(nothing),
            false => choice.work_per_s,
        };
        Some(figure::Bought {
            name: choice.name.clone(),
            missed: ends(choice.missed_share?),
            work_per_s: ends(work?),
        })
    };
    let bought: Vec<figure::Bought> = beside.choices.iter().filter_map(bought).collect();
    figure::bought(
        &format!("best-effort-{number}-bought"),
        "What each choice of scheduling buys, and what it costs the rates; lines are 95 % intervals",
        &format!("best-effort work: {} a second", beside.unit),
        &bought,
    )
}

fn ends(interval: Interval) -> [f64; 3] {
    [interval.lower, interval.value, interval.upper]
}

fn table(beside: &BestEffort) -> Table {
    let fastest = beside.rates.first().map_or("", String::as_str);
    Table {
        caption: "Every choice of scheduling".to_owned(),
        columns: vec![
            Column::words("Best-effort work"),
            Column::numbers("Runs"),
            Column::numbers(&format!("{} a second", words::capital(&beside.unit))),
            Column::numbers("Missed"),
            Column::numbers("Due").in_detail(),
            Column::numbers("Missed, share").in_detail(),
            Column::numbers(&format!("Median of {fastest}, times")),
            Column::numbers("End of its tail, times").in_detail(),
        ],
        rows: beside.choices.iter().map(line).collect(),
        note: format!(
            "How many times a response is: intervals at {} confidence, which is what is left for \
             each of {}.",
            words::percent(beside.confidence),
            words::counted(beside.comparisons, "comparison"),
        ),
        ..Table::default()
    }
}

fn line(choice: &Choice) -> Line {
    let runs = match (choice.runs, choice.invalid) {
        (runs, 0) => Cell::number(runs.to_string(), ""),
        (runs, invalid) => Cell {
            title: choice.why_invalid.clone().unwrap_or_default(),
            ..Cell::number(format!("{runs}, {invalid} INVALID"), "").judged(false)
        },
    };
    let told = |interval: Interval, number: fn(f64) -> String| {
        let [lower, value, upper] = ends(interval).map(number);
        Cell::number(format!("{value} ({lower} to {upper})"), "")
    };
    let work = match choice.work_per_s {
        Some(work) => told(work, words::quantity),
        None if choice.is_none() => Cell::none("there is none"),
        None => Cell::none("fewer than two valid runs"),
    };
    let share = choice.missed_share;
    let share = share.map(|share| told(share, words::percent));
    let compared = match choice.is_none() {
        true => "what others are compared with",
        false => "too few samples, or no valid run",
    };
    Line::of(vec![
        Cell::text(&choice.name),
        runs,
        work,
        Cell::number(words::grouped(choice.missed), "").bad_if(choice.missed > 0),
        Cell::number(words::grouped(choice.due), ""),
        share.unwrap_or_else(|| Cell::none("no valid run")),
        times(choice.median, compared),
        times(choice.tail, compared),
    ])
}
