//! The tire by masses and load: how fast, and what missed its deadline.

use super::columns::{columns, line, words_of};
use super::topic::Topic;
use crate::document::{Block, Cell, Table};
use analysis::capacity::is_real_time;
use analysis::comparison::{Case, Comparison, cases, head};
use analysis::survey::{Series, System};
use analysis::words;
use plan::fact;

pub(super) const SECTION: Topic = Topic {
    id: "tire",
    title: "The tire: speed and missed deadlines",
    introduction: "A ring of point masses, spring-dampers between them; every step is the same \
                   work. Real-fast runs compute as fast as they can, under the default policy beside \
                   the load; real-time runs must end each step before the next one is due.",
    blocks,
};

fn blocks(comparison: &Comparison) -> Vec<Block> {
    let systems = &*comparison.systems;
    let all = cases(systems, |series| series.spec.measurement == "tire");
    let is_real_time = |case: &&Case| case.any().is_some_and(is_real_time);
    let (real_time, real_fast): (Vec<&Case>, Vec<&Case>) = all.iter().partition(is_real_time);
    let tables = [REAL_FAST.table(systems, real_fast), REAL_TIME.table(systems, real_time)];
    let filled = tables.into_iter().filter(|table| !table.rows.is_empty());
    filled.map(Block::Table).collect()
}

/// What a table of tires shows.
struct Shape {
    caption: &'static str,
    heads: &'static [&'static str],
    /// The words at the head of a case's line.
    words: fn(&Case) -> Vec<Cell>,
    figure: fn(&Series) -> Cell,
}

const REAL_FAST: Shape = Shape {
    caption: "Real-fast: mass updates a second",
    heads: &["Tire", "Load"],
    words: |case| words_of([&words::label(case.label), head(&case.load())]),
    figure: speed,
};

const REAL_TIME: Shape = Shape {
    caption: "Real-time: steps that missed their deadline, and the longest time from when a step \
              was due to its end",
    heads: &["Tire", "A step each", "Load"],
    words: |case| {
        let period = case.test.parameters.time("rate").0 as f64;
        let tire = words::label(case.label);
        words_of([&tire, &words::time(period), head(&case.load())])
    },
    figure: missed,
};

impl Shape {
    fn table(&self, systems: &[System], mut cases: Vec<&Case>) -> Table {
        // One tire's loads stand together.
        cases.sort_by_key(|case| {
            let size = case.any().map_or(0, |series| series.count(&fact::MASSES));
            (size, case.label, !case.asked.loads.is_empty())
        });
        let row = |case: &&Case| line((self.words)(case), case, self.figure);
        Table {
            caption: self.caption.to_owned(),
            columns: columns(self.heads, systems),
            rows: cases.iter().map(row).collect(),
            note: String::new(),
            folded: false,
        }
    }
}

fn speed(series: &Series) -> Cell {
    let speed = series.mean(&fact::MASS_UPDATES_PER_S);
    speed.map_or_else(
        || Cell::none("not told"),
        |speed| Cell::number(words::grouped(speed.round() as u64), speed.to_string()),
    )
}

fn missed(series: &Series) -> Cell {
    let missed = series.total(&fact::MISSED).unwrap_or_else(|| series.skipped());
    let worst = series.latency.as_ref().map(|l| l.max.value_ns as f64);
    let worst = worst.map_or_else(String::new, |ns| format!(", {}", words::time(ns)));
    let of = words::grouped(series.due());
    let text = format!("{} of {of}{worst}", words::grouped(missed));
    Cell::number(text, "").bad_if(missed > 0)
}
