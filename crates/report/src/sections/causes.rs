//! Causes of lateness: their number, their duration, and the tasks on the CPU in the worst cases.

use crate::document::{Block, Cell, Section, Table, TableOf};
use blame::{CauseTotal, Summary};

use crate::english::lacking;
use crate::figure;
use analysis::causes::summaries;
use analysis::survey::{Series, System};
use analysis::words;

const INTRODUCTION: &str = "What finished later than its threshold after its due time, and what took the time. The \
                            main cause has the largest share, and at least half of the lateness; its time is \
                            that of all its shares.";

/// Maximum number of rows: a busy machine has dozens of causes of a few microseconds each.
const MOST_LINES: usize = 12;

pub(super) fn shown(systems: &[System]) -> Option<Section> {
    let mut blocks = Vec::new();
    for (system, series) in systems.iter().flat_map(|s| s.series.iter().map(move |one| (s, one))) {
        for summary in summaries(series) {
            let title = title(systems, system, series);
            let name = format!("blame-{}", blocks.len());
            blocks.push(Block::Table(table(&title, &summary)));
            let limit = summary.threshold_ns;
            let figure = figure::blamed(&name, &title, limit, &summary.worst);
            blocks.extend(figure.map(Block::Figure));
        }
    }
    Section::of("blame", "What was late, and why", INTRODUCTION, blocks).filled()
}

fn title(systems: &[System], system: &System, series: &Series) -> String {
    match systems.len() {
        1 => series.spec.title(),
        _ => format!("{}: {}", system.name, series.spec.title()),
    }
}

/// A cause, or all causes after the first ones.
struct Row {
    cause: String,
    main_of: u64,
    part_of: Option<u64>,
    time_ns: i64,
    longest_ns: i64,
}

fn table(title: &str, summary: &Summary) -> Table {
    let limit = words::time(summary.threshold_ns as f64);
    let late = words::grouped(summary.late);
    let caption = format!("{title}: {late} late, more than {limit} after the due time");
    TableOf::of(&rows(&summary.causes))
        .text("Cause", |row| &row.cause)
        .number("Main of", |row| Cell::count(row.main_of))
        .number("Part of", |row| Cell::or(row.part_of, "several may be part of one", Cell::count))
        .number("Time in all, µs", |row| Cell::micros(row.time_ns as f64))
        .number("Longest, µs", |row| Cell::micros(row.longest_ns as f64))
        .note(lacking(summary).join(" "))
        .table(caption)
}

/// Returns a row for each of the causes with the most time, and a row for all others.
fn rows(causes: &[CauseTotal]) -> Vec<Row> {
    let (first, others) =
        if causes.len() > MOST_LINES { causes.split_at(MOST_LINES - 1) } else { (causes, &[][..]) };
    let row = |total: &CauseTotal| Row {
        cause: total.words.clone(),
        main_of: total.main_of,
        part_of: Some(total.part_of),
        time_ns: total.time_ns,
        longest_ns: total.longest_ns,
    };
    let rest = (!others.is_empty()).then(|| Row {
        cause: format!("{} others, in the JSON report", others.len()),
        main_of: others.iter().map(|total| total.main_of).sum(),
        part_of: None,
        time_ns: others.iter().map(|total| total.time_ns).sum(),
        longest_ns: others.iter().map(|total| total.longest_ns).max().unwrap_or(0),
    });
    first.iter().map(row).chain(rest).collect()
}
