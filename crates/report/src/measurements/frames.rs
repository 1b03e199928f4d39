//! Frames: how steady their starts and run times are.

use analysis::published::{self, Frames};
use analysis::survey::{Series, System, distinct, on_all};
use analysis::{Analysis, words};
use record::{Fact, fact};
use serde_json::Value;
use stats::{BAD_START_MARK, FRAME_MARKS, FrameMark, GOOD_MARK};

use crate::document::{Block, Cell, Origin, Table, TableOf};
use crate::figure::{self, Figure};
use crate::sections::general;
use crate::sections::measured::Measured;
use crate::sections::metrics::NOT_RECORDED;
use crate::sections::series::{Metric, of_series};

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
    Metric::Own("Due", |series| Cell::count(series.due())),
    Metric::Own("Skipped", |series| Cell::count(series.skipped())),
    Metric::Of(&fact::OVERRUNS, |series, fact| {
        Cell::or(series.total(fact), NOT_RECORDED, |overruns| {
            Cell::count(overruns).bad_if(overruns > 0)
        })
    }),
    Metric::Own("Start jitter, ms", |series| {
        judged(most(series, &fact::START_JITTER_NS), &marks_of(series))
    }),
    Metric::Own("Run jitter, ms", |series| most(series, &fact::RUN_JITTER_NS)),
    Metric::Own("Min run, ms", |series| of_run(series, |run| run.min.value_ns as f64)),
    Metric::Own("Avg run, ms", |series| of_run(series, stats::Distribution::mean_ns)),
    Metric::Own("Max run, ms", |series| of_run(series, |run| run.max.value_ns as f64)),
    Metric::Own("Max at", |series| {
        let at = series.latency.as_ref().map(|run| run.max.at_ns as f64);
        Cell::or(at, NOT_RECORDED, Cell::time)
    }),
    Metric::Own("Jitter + max run, ms", |series| most(series, &fact::START_PLUS_MAX_RUN_NS)),
    Metric::Own(BEYOND, |series| marks(&marks_of(series))),
];

/// The column of marks that are bad news; the good mark colours the start jitter instead.
const BEYOND: &str = "Beyond its limits";

/// The work of a process: arithmetic, idle time, and its background and network activity.
const BESIDES: &[Metric] = &[
    Metric::Of(&fact::INTEGER_ITERATIONS, iterations),
    Metric::Of(&fact::FLOATING_ITERATIONS, iterations),
    Metric::Own("Mean idle, ms", |series| {
        Cell::or(series.mean(&fact::IDLE_AVERAGE_NS), NOT_RECORDED, in_millis)
    }),
    Metric::Own("Least idle, ms", |series| {
        Cell::or(series.least(&fact::IDLE_MIN_NS), NOT_RECORDED, in_millis)
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
    Cell::or(series.total(fact), why_none, Cell::count)
}

/// Returns the amount of work in a frame; runs calibrate their own.
fn iterations(series: &Series, fact: &Fact) -> Cell {
    Cell::or(series.least(fact).zip(series.most(fact)), NOT_RECORDED, |(least, most)| {
        let mut cell = Cell::count(least as u64);
        if most > least {
            cell = Cell::number(format!("{} to {}", cell.text, words::grouped(most as u64)), "");
        }
        cell.titled("in each frame")
    })
}

/// Returns a time in milliseconds, as MUR prints it.
fn in_millis(ns: f64) -> Cell {
    Cell { text: format!("{:.3}", ns / 1e6), ..Cell::time(ns) }
}

fn most(series: &Series, fact: &Fact) -> Cell {
    Cell::or(series.most(fact), NOT_RECORDED, in_millis)
}

fn of_run(series: &Series, of: fn(&stats::Distribution) -> f64) -> Cell {
    Cell::or(series.latency.as_ref().map(of), "no frame", in_millis)
}

/// Returns the marks that any run has; the good one only if all runs have it.
fn marks_of(series: &Series) -> Vec<&'static str> {
    let runs: Vec<&Vec<Value>> = series.facts(&fact::MARKS).filter_map(Value::as_array).collect();
    let is_borne = |name: &&str| {
        let bears = |run: &&Vec<Value>| run.iter().any(|mark| mark == *name);
        runs.iter().any(bears) && (*name != GOOD_MARK || runs.iter().all(bears))
    };
    FRAME_MARKS.iter().map(|mark| mark.name).filter(is_borne).collect()
}

fn judged(jitter: Cell, borne: &[&str]) -> Cell {
    if borne.contains(&GOOD_MARK) {
        jitter.judged(true)
    } else {
        jitter.bad_if(borne.contains(&BAD_START_MARK))
    }
}

fn marks(borne: &[&str]) -> Cell {
    let borne_marks = bad_marks().filter(|mark| borne.contains(&mark.name));
    let words: Vec<&str> = borne_marks.map(|mark| mark.words).collect();
    if words.is_empty() { Cell::text("none") } else { Cell::text(words.join(" · ")).judged(false) }
}

fn bad_marks() -> impl Iterator<Item = &'static FrameMark> {
    FRAME_MARKS.iter().filter(|mark| mark.name != GOOD_MARK)
}

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let (runs, starts): (Vec<_>, Vec<_>) = on_all(systems, MEASUREMENT)
        .into_iter()
        .partition(|(_, series)| series.most(&fact::START_JITTER_NS).is_some());
    let starts = figure::histogram("frame-starts", "start delay", &general::named(&starts));
    let lengths = figure::histogram("frame-runs", "run time", &general::named(&runs));
    let lengths = lengths.map(|drawn| general::with_deadlines(drawn, &runs));
    let mut besides = of_series("Work, idle time and datagrams of frames", &runs, BESIDES);
    besides.note = AMOUNTS.to_owned();
    let mut processes = of_series("Frames of each process", &runs, METRICS);
    processes.columns.last_mut().expect("there are metrics").numeric = false;
    let timed = as_published(TIMED, &published::timed_frames());
    let mut blocks = Vec::from([processes, timed, besides].map(Block::Table));
    let figures = starts.into_iter().chain(lengths).chain(strips(&runs));
    blocks.extend(figures.map(Block::Figure));
    blocks
}

const TIMED: &str = "Frames as published in 2003, by spin and by interval timer";

pub(crate) fn published_tests() -> Table {
    let all = as_published(
        "Tests as published in 2003, by spin (43 of 52; the source breaks off)",
        &published::frames(),
    );
    Table { folded: true, ..all }
}

/// Returns Murray's printed figures in the same columns, as far as they exist.
fn as_published(caption: &str, frames: &[Frames]) -> Table {
    let legend: Vec<&str> = bad_marks().map(|mark| mark.words).collect();
    let note = format!(
        "Limits, in all these tables: {}. Start jitter is green below 0.2 ms. Published on {}.",
        legend.join(" · "),
        published::FRAME_HARDWARE
    );
    TableOf::of(frames)
        .text("Case", |frames| &frames.process)
        .text("System", |frames| &frames.system)
        .text("Start", |frames| &frames.timer)
        .number("Overruns", |frames| Cell::count(frames.overruns))
        .number("Start jitter, ms", |frames| {
            judged(in_millis(frames.start_jitter_ns as f64), &frames.marks)
        })
        .number("Run jitter, ms", |frames| in_millis(frames.run_jitter_ns as f64))
        .number("Min run, ms", |frames| in_millis(frames.min_run_ns as f64))
        .number("Avg run, ms", |frames| in_millis(frames.avg_run_ns as f64))
        .number("Max run, ms", |frames| in_millis(frames.max_run_ns as f64))
        .number("Jitter + max run, ms", |frames| {
            in_millis((frames.start_jitter_ns + frames.max_run_ns) as f64)
        })
        .text(BEYOND, |frames| marks(&frames.marks))
        .of_origin(|_| Origin::Published)
        .note(note)
        .table(caption)
}

/// Draws a strip chart for each run, with all of its processes.
fn strips(runs: &[(&System, &Series)]) -> Vec<Figure> {
    let peers: Vec<&Series> = runs.iter().map(|(_, series)| *series).collect();
    let several = distinct(runs.iter().map(|(system, _)| &system.machine_id)) > 1;
    let mut figures = Vec::new();
    for (system, first) in runs.iter().filter(|(_, series)| series.headline()) {
        let mut of_run = runs.to_vec();
        of_run.retain(|(b, a)| b.machine_id == system.machine_id && a.spec == first.spec);
        let strips = of_run.iter().filter_map(|(_, series)| {
            let bins = series.facts(&fact::STRIP).last()?.as_array()?;
            Some((words::label(series.label), bins))
        });
        let strips: Vec<_> = strips.collect();
        let processes = words::counted(first.spec.parameters.processes() as usize, "process");
        let what = format!("{processes}, {}", first.conditions(&peers));
        let what = if several { format!("{}: {what}", system.name) } else { what };
        let name = format!("strip-{}", figures.len() + 1);
        let period = first.spec.parameters.rate_period().0 as f64;
        figures.extend(figure::strip(&name, &what, period, &strips));
    }
    figure::share_time(&mut figures);
    figures
}
