//! Causes of lateness: their number, their duration, and the tasks on the CPU in the worst cases.

use analysis::causes::summaries;
use analysis::finding::unlabelled;
use analysis::lateness::lacking;
use analysis::survey::System;
use analysis::words;
use blame::{CauseTotal, Summary};

use crate::document::{Block, Cell, Section, Table, TableOf};
use crate::figure;

const INTRODUCTION: &str = "What finished later than its threshold after its due time, and what took the time. The \
                            main cause has the largest share, and at least half of the lateness; its time is \
                            that of all its shares.";

/// Maximum number of rows: a busy machine has dozens of causes of a few microseconds each.
const MOST_LINES: usize = 12;

pub(super) fn shown(systems: &[System]) -> Option<Section> {
    let mut blocks = Vec::new();
    for (system, series) in
        systems.iter().flat_map(|s| s.series.iter().map(move |series| (s, series)))
    {
        for summary in summaries(series) {
            let title = match systems.len() {
                1 => series.spec.title(),
                _ => format!("{}: {}", system.name, series.spec.title()),
            };
            let name = format!("blame-{}", blocks.len());
            blocks.push(Block::Table(table(&title, &summary)));
            let figure = figure::blamed(&name, &title, summary.threshold_ns, &summary.worst);
            blocks.extend(figure.map(Block::Figure));
        }
    }
    Section::of("blame", "What was late, and why", INTRODUCTION, blocks).filled()
}

fn table(title: &str, summary: &Summary) -> Table {
    let limit = words::time(summary.threshold_ns as f64);
    let late = words::grouped(summary.late);
    let caption = format!("{title}: {late} late, more than {limit} after the due time");
    TableOf::of(&rows(&summary.causes))
        .text("Cause", |row| match row {
            [one] => one.words.clone(),
            others => format!("{} others, in the JSON report", others.len()),
        })
        .number("Main of", |row| Cell::count(row.iter().map(|total| total.main_of).sum()))
        .number("Missed", |row| Cell::count(row.iter().map(|total| total.missed).sum()))
        .number("Part of", |row| match row {
            [cause] => Cell::count(cause.part_of),
            _ => Cell::none("several may be part of one"),
        })
        .number("Time in all, µs", |row| {
            Cell::micros(row.iter().map(|total| total.time_ns).sum::<i64>() as f64)
        })
        .number("Longest, µs", |row| {
            Cell::micros(row.iter().map(|total| total.longest_ns).max().unwrap_or(0) as f64)
        })
        .note(unlabelled(&lacking(summary)).join(" "))
        .table(caption)
}

/// Returns a row for each of the first causes, and a row for all others.
fn rows(causes: &[CauseTotal]) -> Vec<&[CauseTotal]> {
    let first = if causes.len() > MOST_LINES { MOST_LINES - 1 } else { causes.len() };
    let (first, others) = causes.split_at(first);
    first.chunks(1).chain(Some(others).filter(|others| !others.is_empty())).collect()
}
