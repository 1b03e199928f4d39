//! The tire by masses and load: its speed and its deadline misses.

use super::columns::{head_of_line, measured};
use super::topic::Topic;
use crate::document::{Block, Cell, TableOf};
use analysis::capacity::is_real_time;
use analysis::comparison::{Case, Comparison, cases, head, worst_ns};
use analysis::survey::Series;
use analysis::{real_time, words};
use plan::fact;

pub(super) const SECTION: Topic = Topic {
    id: "tire",
    title: "The tire: speed and missed deadlines",
    introduction: "A ring of point masses, spring-dampers between them; every step is the same \
                   work. Real-fast runs compute as fast as they can, under the default policy at the same time as \
                   the load; real-time runs must end each step before the next one is due.",
    blocks,
};

const MISSES: &str = "Real-time: steps that missed their deadline, and the longest time from when a \
                      step was due to its end";

fn blocks(comparison: &Comparison) -> Vec<Block> {
    let systems = &*comparison.systems;
    let all = cases(systems, |series| series.spec.measurement == "tire");
    let is_real_time = |case: &&Case| case.any().is_some_and(is_real_time);
    let (mut real_time, mut real_fast): (Vec<&Case>, Vec<&Case>) =
        all.iter().partition(is_real_time);
    // The loads of a tire follow each other.
    let order = |case: &&Case| {
        let size = case.any().map_or(0, |series| series.count(&fact::MASSES));
        (size, case.label.to_owned(), !case.asked.loads.is_empty())
    };
    real_time.sort_by_key(order);
    real_fast.sort_by_key(order);
    let tire = |case: &&Case| head_of_line(words::label(case.label));
    let load = |case: &&Case| head_of_line(head(&case.load()));
    let speeds = TableOf::of(&real_fast)
        .text("Tire", tire)
        .text("Load", load)
        .systems(systems, |place, case| measured(case, place, speed))
        .table("Real-fast: mass updates per second");
    let misses = TableOf::of(&real_time)
        .text("Tire", tire)
        .text("A step each", |case| {
            head_of_line(words::time(case.test.parameters.time("rate").0 as f64))
        })
        .text("Load", load)
        .systems(systems, |place, case| measured(case, place, missed))
        .table(MISSES);
    Block::all_filled([speeds, misses].map(Block::Table))
}

fn speed(series: &Series) -> Cell {
    let speed = series.mean(&fact::MASS_UPDATES_PER_S);
    Cell::or(speed, "not recorded", |speed| {
        Cell::figure(speed, |speed| words::grouped(speed.round() as u64), "")
    })
}

fn missed(series: &Series) -> Cell {
    let missed = real_time::misses(series).unwrap_or(0);
    let worst = worst_ns(series).map_or_else(String::new, |ns| format!(", {}", words::time(ns)));
    let of = words::grouped(series.due());
    let text = format!("{} of {of}{worst}", words::grouped(missed));
    Cell::number(text, "").bad_if(missed > 0)
}
