//! The tire by masses and load: its speed and its deadline misses.

use analysis::capacity::is_real_time;
use analysis::comparison::{Case, Comparison, cases, load_name, worst};
use analysis::phrases::maybe;
use analysis::survey::Series;
use analysis::{real_time, words};
use record::fact;

use super::columns::{Topic, head_of_line, measured};
use super::draws::draws_of_cases;
use crate::document::{Block, Cell, TableOf};

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
    let mut all = cases(systems, |series| series.spec.measurement == "tire");
    // The loads of a tire follow each other.
    all.sort_by_key(|case| {
        let size = case.any().map_or(0, |series| series.count(&fact::MASSES));
        (size, case.label.to_owned(), !case.asked.loads.is_empty())
    });
    let (real_time, real_fast): (Vec<&Case>, Vec<&Case>) =
        all.iter().partition(|case| case.any().is_some_and(is_real_time));
    let tire = |case: &&Case| head_of_line(words::label(case.label));
    let load = |case: &&Case| head_of_line(load_name(&case.load()));
    let speeds = TableOf::of(&real_fast)
        .text("Tire", tire)
        .text("Load", load)
        .systems(systems, |place, case| measured(case, place, speed))
        .table("Real-fast: mass updates per second");
    let misses = TableOf::of(&real_time)
        .text("Tire", tire)
        .text("A step each", |case| {
            head_of_line(words::time(case.test.parameters.rate_period().0 as f64))
        })
        .text("Load", load)
        .systems(systems, |place, case| measured(case, place, missed))
        .table(format!(
            "{MISSES}{}",
            maybe(draws_of_cases(real_time.iter().copied()), |draws| {
                format!(": the shortest and the longest of {draws}")
            })
        ));
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
    let worst =
        maybe(worst([series]), |worst| format!(", {}", words::time_range(worst.range_ns())));
    let of = words::grouped(series.due());
    let text = format!("{} of {of}{worst}", words::grouped(missed));
    Cell::number(text, "").bad_if(missed > 0)
}
