//! Causes of lateness: how often, for how long, and who had the CPU in the worst cases.

use crate::document::{Block, Cell, Column, Line, Section, Table};
use blame::{CauseTotal, Summary};

use crate::figure;
use crate::sections::metrics;
use analysis::causes::{limits, summaries};
use analysis::survey::{Series, System};
use analysis::words;

const INTRODUCTION: &str = "What took longer than its threshold from its due time on, and what it \
                            lost its time to. A cause is main where its share is the largest; its \
                            time is that of all its shares.";

/// Causes in a table; on a busy machine dozens have had some microseconds.
const MOST_LINES: usize = 12;

/// The section, where a run looked for causes.
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
    (!blocks.is_empty())
        .then(|| Section::of("blame", "What was late, and why", INTRODUCTION, blocks))
}

fn title(systems: &[System], system: &System, series: &Series) -> String {
    match systems.len() {
        1 => series.spec.title(),
        _ => format!("{}: {}", system.name, series.spec.title()),
    }
}

fn table(title: &str, summary: &Summary) -> Table {
    let numbers = ["Main of", "Part of", "Time in all, µs", "Longest, µs"];
    let mut columns = vec![Column::words("Cause")];
    columns.extend(numbers.map(Column::numbers));
    let limit = words::time(summary.threshold_ns as f64);
    let late = words::grouped(summary.late);
    Table {
        caption: format!("{title}: {late} late, more than {limit} after the due time"),
        columns,
        rows: lines(&summary.causes),
        note: limits(summary).join(" "),
        folded: false,
    }
}

/// A line for each of the first causes, which took most time, and one for all others.
fn lines(causes: &[CauseTotal]) -> Vec<Line> {
    let (first, others) = match causes.len() > MOST_LINES {
        true => causes.split_at(MOST_LINES - 1),
        false => (causes, &[][..]),
    };
    let mut lines: Vec<Line> = first.iter().map(line).collect();
    if !others.is_empty() {
        let time = others.iter().map(|total| total.time_ns).sum::<i64>();
        let longest = others.iter().map(|total| total.longest_ns).max();
        lines.push(Line::of(vec![
            Cell::text(format!("{} others, in the JSON report", others.len())),
            metrics::count(others.iter().map(|total| total.main_of).sum()),
            Cell::none("several may be part of one"),
            metrics::in_micros(time as f64),
            metrics::in_micros(longest.unwrap_or(0) as f64),
        ]));
    }
    lines
}

fn line(total: &CauseTotal) -> Line {
    Line::of(vec![
        Cell::text(&total.words),
        metrics::count(total.main_of),
        metrics::count(total.part_of),
        metrics::in_micros(total.time_ns as f64),
        metrics::in_micros(total.longest_ns as f64),
    ])
}
