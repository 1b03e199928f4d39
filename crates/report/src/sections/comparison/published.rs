//! Measured and published figures of each test.

use analysis::comparison::{Beside, Comparison, beside};
use analysis::words;

use crate::document::{Block, Cell, Section, TableOf};

/// Returns a line per published test: measured systems, then published ones; `None` without any.
pub(crate) fn published(comparison: &Comparison) -> Option<Section> {
    let (names, tests) = beside(comparison);
    let missing = || Cell::none("not measured, or not published");
    let table = TableOf::of(&tests).text("", |test: &Beside| test.test.replace('_', " "));
    let systems = comparison.systems.iter().enumerate();
    let table = systems.fold(table, |table, (place, system)| {
        table.number(&system.name, move |test| {
            test.measured[place].map_or_else(missing, |times| {
                let [average, worst] = times.map(words::brief_micros);
                Cell::number(format!("{average} / {worst}"), "")
            })
        })
    });
    let table = names.iter().enumerate().fold(table, |table, (place, name)| {
        table.number(name, move |test| {
            let latency = test.published[place].as_ref();
            latency.map_or_else(missing, |latency| Cell::number(latency.in_words(), ""))
        })
    });
    let caption = "With published figures: average / worst, µs; without load";
    let block = Block::Table(table.table(caption, "", |_| false));
    (!tests.is_empty()).then(|| Section { blocks: vec![block], ..Section::default() })
}
