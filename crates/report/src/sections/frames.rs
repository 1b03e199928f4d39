//! Frames: how steadily they start and run.

use super::measured::Measured;
use crate::document::{Block, Cell, Column, Line, Part, Table};
use crate::sections::series::{Metric, of_series};
use plan::{Fact, fact};
use serde_json::Value;
use stats::{FRAME_MARKS, FrameMark, GOOD_MARK};

use super::general;
use crate::figure::{self, Figure, Strip};
use crate::sections::metrics;
use analysis::Analysis;
use analysis::published::{self, Frames};
use analysis::survey::{Series, System, distinct, on_all};
use analysis::words;

const MEASUREMENT: &str = "frame";

pub(super) const SECTION: Measured = Measured {
    id: "frames",
    title: "Frames: how steady a simulator runs",
    introduction: "Processes do the same work once a period T, in an amount that is calibrated \
                   to fill a part of it and then fixed. Start delay is the actual start minus \
                   the due time, and start jitter its spread; run time counts from the actual \
                   start, and run jitter is the longest minus the shortest. A frame overruns \
                   when its end is past the next due time.",
    measurements: &[MEASUREMENT],
    blocks,
};

const METRICS: &[Metric] = &[
    Metric::Own("Due", |series| metrics::count(series.due())),
    Metric::Own("Skipped", |series| metrics::count(series.skipped())),
    Metric::Of(&fact::OVERRUNS, |series, fact| {
        series
            .total(fact)
            .map_or_else(not_told, |overruns| metrics::count(overruns).bad_if(overruns > 0))
    }),
    Metric::Own("Start jitter, ms", |series| most(series, &fact::START_JITTER_NS)),
    Metric::Own("Run jitter, ms", |series| most(series, &fact::RUN_JITTER_NS)),
    Metric::Own("Min run, ms", |series| of_run(series, |run| run.min.value_ns as f64)),
    Metric::Own("Avg run, ms", |series| of_run(series, stats::Distribution::mean_ns)),
    Metric::Own("Max run, ms", |series| of_run(series, |run| run.max.value_ns as f64)),
    Metric::Own("Max at", |series| {
        let at = series.latency.as_ref().map(|run| run.max.at_ns as f64);
        at.map_or_else(not_told, metrics::in_words)
    }),
    Metric::Own("Jitter + max run, ms", |series| most(series, &fact::START_PLUS_MAX_RUN_NS)),
    Metric::Own("Marks", |series| marks(&marks_of(series))),
];

/// What a process did: its arithmetic, and what besides.
const BESIDES: &[Metric] = &[
    Metric::Of(&fact::INTEGER_ITERATIONS, iterations),
    Metric::Of(&fact::FLOATING_ITERATIONS, iterations),
    Metric::Own("Mean idle, ms", |series| {
        let idle = series.mean(&fact::IDLE_AVERAGE_NS);
        idle.map_or_else(not_told, in_millis)
    }),
    Metric::Own("Least idle, ms", |series| {
        let idle = series.least(&fact::IDLE_MIN_NS);
        idle.map_or_else(not_told, in_millis)
    }),
    Metric::Of(&fact::BACKGROUND_TURNS, |series, fact| {
        count(series, fact, "nothing used the idle time")
    }),
    Metric::Of(&fact::DATAGRAMS_SENT, datagrams),
    Metric::Of(&fact::REPLIES_IN_TIME, datagrams),
    Metric::Of(&fact::REPLIES_LATE, datagrams),
    Metric::Of(&fact::REPLIES_LOST, datagrams),
    Metric::Of(&fact::REPLIES_REPEATED, datagrams),
    Metric::Of(&fact::DATAGRAMS_STRANGE, datagrams),
];

const AMOUNTS: &str = "The amount of work is calibrated in each run, while its load works: where \
                       amounts differ, run times are those of different work.";

fn datagrams(series: &Series, fact: &Fact) -> Cell {
    count(series, fact, "no datagram was sent")
}

fn count(series: &Series, fact: &Fact, why_none: &str) -> Cell {
    let total = series.total(fact);
    total.map_or_else(|| Cell::none(why_none), metrics::count)
}

/// The amount of work in a frame; runs calibrate their own.
fn iterations(series: &Series, fact: &Fact) -> Cell {
    let amounts = series.least(fact).zip(series.most(fact));
    amounts.map_or_else(not_told, |(least, most)| {
        let mut words = words::grouped(least as u64);
        if most > least {
            words += &format!(" to {}", words::grouped(most as u64));
        }
        Cell::number(words, "in each frame")
    })
}

fn not_told() -> Cell {
    Cell::none("not told")
}

/// A time in milliseconds, as MUR prints it.
fn in_millis(ns: f64) -> Cell {
    let exact = metrics::in_words(ns).title;
    Cell::number(format!("{:.3}", ns / 1e6), exact)
}

fn most(series: &Series, fact: &Fact) -> Cell {
    series.most(fact).map_or_else(not_told, in_millis)
}

fn of_run(series: &Series, of: fn(&stats::Distribution) -> f64) -> Cell {
    let ns = series.latency.as_ref().map(of);
    ns.map_or_else(|| Cell::none("no frame"), in_millis)
}

/// The marks that any run bears; the good one only where all do.
fn marks_of<'a>(series: &Series<'a>) -> Vec<&'a str> {
    let runs: Vec<Vec<&str>> = series
        .facts(&fact::MARKS)
        .filter_map(Value::as_array)
        .map(|marks| marks.iter().filter_map(Value::as_str).collect())
        .collect();
    let is_borne = |mark: &&str| match *mark {
        GOOD_MARK => runs.iter().all(|run| run.contains(mark)),
        _ => true,
    };
    let mut borne: Vec<&str> = runs.iter().flatten().copied().filter(is_borne).collect();
    let place = |mark: &&str| FRAME_MARKS.iter().position(|known| known.name == *mark);
    borne.sort_by_key(place);
    borne.dedup();
    borne
}

fn marks(borne: &[&str]) -> Cell {
    let borne = FRAME_MARKS.iter().filter(|mark| borne.contains(&mark.name));
    let part = |mark: &FrameMark| Part {
        text: mark.words,
        class: if mark.name == GOOD_MARK { "good" } else { "bad" },
    };
    Cell { parts: borne.map(part).collect(), ..Cell::default() }
}

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let (runs, starts): (Vec<_>, Vec<_>) = on_all(systems, MEASUREMENT)
        .into_iter()
        .partition(|(_, series)| series.most(&fact::START_JITTER_NS).is_some());
    let histograms =
        [("frame-starts", "start delay", starts), ("frame-runs", "run time", runs.clone())]
            .map(|(name, axis, series)| figure::histogram(name, axis, &general::named(&series)));
    let mut besides = of_series("Work, idle time and datagrams of frames", &runs, BESIDES);
    besides.note = AMOUNTS.to_owned();
    let tables = [
        of_series("Frames of each process", &runs, METRICS),
        as_published(&published::timed_frames()),
        besides,
    ];
    let mut blocks: Vec<Block> = tables.into_iter().map(Block::Table).collect();
    blocks.extend(histograms.into_iter().flatten().map(Block::Figure));
    blocks.extend(strips(&runs).into_iter().map(Block::Figure));
    blocks
}

/// What Murray printed, in the same columns as far as he has them.
fn as_published(frames: &[Frames]) -> Table {
    let mut columns: Vec<Column> = ["Case", "System", "Start"].map(Column::words).into();
    let numbers = [
        "Overruns",
        "Start jitter, ms",
        "Run jitter, ms",
        "Min run, ms",
        "Avg run, ms",
        "Max run, ms",
        "Jitter + max run, ms",
    ];
    columns.extend(numbers.map(Column::numbers));
    columns.push(Column::words("Marks"));
    let line = |frames: &Frames| {
        let words = [&frames.process, &frames.system, &frames.timer];
        let mut cells: Vec<Cell> = words.map(Cell::text).into();
        cells.push(metrics::count(frames.overruns));
        let times = [
            frames.start_jitter_ns,
            frames.run_jitter_ns,
            frames.min_run_ns,
            frames.avg_run_ns,
            frames.max_run_ns,
            frames.start_jitter_ns + frames.max_run_ns,
        ];
        cells.extend(times.map(|ns| in_millis(ns as f64)));
        cells.push(marks(&frames.marks));
        Line { class: "published", cells }
    };
    let legend: Vec<&str> = FRAME_MARKS.iter().map(|mark| mark.words).collect();
    Table {
        caption: "Frames as published in 2003, by spin and by interval timer".to_owned(),
        columns,
        rows: frames.iter().map(line).collect(),
        note: format!(
            "Marks, in both tables: {}. The last is good news, the others are bad. Published on {}; \
             the JSON report holds the tests of the appendix too.",
            legend.join(" · "),
            published::FRAME_HARDWARE
        ),
        ..Table::default()
    }
}

/// A strip chart for each run, with all of its processes.
fn strips(runs: &[(&System, &Series)]) -> Vec<Figure> {
    let peers: Vec<&Series> = runs.iter().map(|(_, series)| *series).collect();
    let several = distinct(runs.iter().map(|(system, _)| &system.machine_id)) > 1;
    let mut figures = Vec::new();
    for (system, first) in runs.iter().filter(|(_, series)| series.headline) {
        let of_run = runs
            .iter()
            .filter(|(other, s)| other.machine_id == system.machine_id && s.spec == first.spec);
        let strips: Vec<Strip> = of_run
            .filter_map(|(_, series)| {
                let bins = series.facts(&fact::STRIP).last()?.as_array()?;
                let name = words::label(series.label);
                Some(Strip { name, bins })
            })
            .collect();
        let processes =
            words::counted(first.spec.parameters.count("processes") as usize, "process");
        let mut what = format!("{processes}, {}", first.conditions(&peers));
        if several {
            what = format!("{}: {what}", system.name);
        }
        let name = format!("strip-{}", figures.len() + 1);
        let period = first.spec.parameters.time("rate").0 as f64;
        figures.extend(figure::strip(&name, &what, period, &strips));
    }
    figures
}
