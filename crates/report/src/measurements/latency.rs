//! Latency tables next to the published ones.

use analysis::Analysis;
use analysis::published::{self, Latency};
use analysis::services::service;
use analysis::survey::{Series, System, on_all};
use record::Family;

use crate::document::{Block, Cell, Origin, Table, TableOf};
use crate::figure::{self, Figure, Range};
use crate::sections::measured::Measured;
use crate::sections::metrics;
use crate::sections::series::{Metric, are_of_one_machine, case, conditions};

/// Measurements with published figures, and the intervals that they time.
const TESTS: &[(&str, &str)] = &[
    (
        "task_switch",
        "Task switch: from one thread's yield to the other thread of equal priority running",
    ),
    ("preemption", "Preemption: from the moment asked for to the high-priority thread running"),
    (
        "semaphore_shuffle",
        "Semaphore shuffle: time to acquire a binary semaphore that two threads share; the \
         published figures are of the papers\u{2019} loop, which the literal row repeats as far as their \
         text describes it",
    ),
];

pub(super) const SECTION: Measured = Measured {
    id: "latency",
    title: "Latencies next to published ones",
    introduction: "Average is what a real-fast program feels, the worst case what a real-time \
                   program must survive.",
    measurements: Family::Services.measurements(),
    blocks,
};

const CAPTION: &str = "This machine in blue, published systems in grey, as printed for other and \
                       older hardware. A triangle: the worst case was printed as \u{201c}more \
                       than\u{201d}.";

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let published = published::latencies();
    let mut blocks = Vec::from_iter(overview(systems, &published).map(Block::Figure));
    let tables =
        TESTS.iter().filter_map(|(test, caption)| table(systems, test, caption, &published));
    blocks.extend(tables.map(Block::Table));
    blocks
}

fn table(systems: &[System], test: &str, caption: &str, published: &[Latency]) -> Option<Table> {
    let series = Some(on_all(systems, test)).filter(|series| !series.is_empty())?;
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let ours = series.iter().map(|(system, series)| Row::Ours(system, series));
    let theirs = published.iter().filter(|latency| latency.test == test).map(Row::Published);
    let rows: Vec<Row> = ours.chain(theirs).collect();
    let table = TableOf::of(&rows)
        .text("System", |row| match row {
            Row::Ours(system, _) => &system.name,
            Row::Published(latency) => &latency.system,
        })
        .text("Case", |row| match row {
            Row::Ours(_, series) => case(series),
            Row::Published(_) => Cell::text("as published"),
        })
        .text("Conditions", |row| match row {
            Row::Ours(_, series) => conditions(series, &peers),
            Row::Published(latency) => Cell::text(latency.source),
        })
        .unless(|row| match row {
            Row::Ours(_, series) => series.unavailable().map(|needs| Cell::unavailable(needs, 1)),
            Row::Published(_) => None,
        })
        .each(metrics::LATENCY, |table, metric| {
            table.column(metric.column(), |row| match row {
                Row::Ours(_, series) => metric.figure(series),
                Row::Published(latency) => published_figure(latency, metric),
            })
        });
    let note = format!("Published figures: {}.", published::HARDWARE);
    let is_ours = |row: &Row| matches!(row, Row::Ours(..));
    Some(table.of_origin(|_| Origin::Published).marked(is_ours).note(note).table(caption))
}

enum Row<'r, 'a> {
    Ours(&'r System<'a>, &'r Series<'a>),
    Published(&'r Latency),
}

fn published_figure(latency: &Latency, metric: &Metric) -> Cell {
    match metric {
        Metric::Own("Average, µs", _) => {
            Cell::or(latency.average_ns, "not published", |ns| Cell::micros(ns as f64))
        }
        Metric::Own("Worst, µs", _) => {
            let worst = Cell::micros(latency.worst_ns as f64);
            let printed = "printed as \u{201c}> 10^6\u{201d} ns";
            let bound = latency.worst_is_lower_bound;
            if bound { Cell::number(format!("> {}", worst.text), printed) } else { worst }
        }
        _ => Cell::number("", "not published"),
    }
}

/// More lines than this fill a screen: then only the lines without load and the worst line of each
/// system are shown.
const MOST_RANGES: usize = 40;

/// Draws the measured rows of each test with published figures, then the published figures.
fn overview(systems: &[System], published: &[Latency]) -> Option<Figure> {
    let mut ranges = Vec::new();
    let all = TESTS.iter().flat_map(|(test, _)| on_all(systems, test));
    let beside = all.filter(|(_, series)| published::stands_beside(series));
    let are_many = beside.count() > MOST_RANGES;
    for (test, _) in TESTS {
        let mut series = on_all(systems, test);
        if are_many {
            series = unloaded_and_worst(&series);
        }
        let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
        let ours = series.iter().filter(|(_, series)| published::stands_beside(series));
        let before = ranges.len();
        ranges.extend(ours.filter_map(|(system, series)| {
            let conditions = series.conditions(&peers);
            let name = format!("{}: {}, {conditions}", service(series), system.name);
            Some(Range::measured(name, series.latency.as_ref()?))
        }));
        let is_measured = ranges.len() > before;
        let title = test.replace('_', " ");
        let theirs = published.iter().filter(|latency| is_measured && latency.test == *test);
        ranges.extend(theirs.map(|latency| Range {
            name: format!("{title}: {}", latency.system),
            average_ns: latency.average_ns.map(|ns| ns as f64),
            worst_ns: latency.worst_ns as f64,
            worst_is_lower_bound: latency.worst_is_lower_bound,
            published: true,
        }));
    }
    let mut caption = CAPTION.to_owned();
    if are_many {
        caption += " For each machine it shows rows without load, and the worst ones.";
    }
    figure::ranges("latencies", &caption, &ranges)
}

/// Returns, for each system, the rows without load and the row with the worst case.
fn unloaded_and_worst<'s, 'a>(
    series: &[(&'s System<'a>, &'s Series<'a>)],
) -> Vec<(&'s System<'a>, &'s Series<'a>)> {
    let mut kept = Vec::new();
    for of_system in series.chunk_by(are_of_one_machine) {
        let mut beside = of_system.to_vec();
        beside.retain(|(_, series)| published::stands_beside(series));
        let worst = beside.iter().filter_map(|(_, series)| series.max_ns()).max();
        beside.retain(|(_, series)| series.spec.asked.loads.is_empty() || series.max_ns() == worst);
        kept.extend(beside);
    }
    kept
}
