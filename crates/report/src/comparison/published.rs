//! Measured and published figures of each test.

use analysis::comparison::{Comparison, TestFigures, measured_and_published};
use analysis::words;

use crate::document::{Block, Cell, Section, TableOf};

/// Returns a line per published test: measured systems, then published ones.
pub(crate) fn published(comparison: &Comparison) -> Option<Section> {
    let (names, tests) = measured_and_published(comparison);
    const MISSING: &str = "not measured, or not published";
    let table = TableOf::of(&tests)
        .text("", |test: &TestFigures| test.test.replace('_', " "))
        .each(comparison.systems.iter().enumerate(), |table, (place, system)| {
            table.number(&system.name, move |test| {
                Cell::or(test.measured[place], MISSING, |times| {
                    let [average, worst] = times.map(words::brief_micros);
                    Cell::number(format!("{average} / {worst}"), "")
                })
            })
        })
        .each(names.iter().enumerate(), |table, (place, name)| {
            table.number(name, move |test| {
                let latency = test.published[place].as_ref();
                Cell::or(latency, MISSING, |latency| Cell::number(latency.in_words(), ""))
            })
        })
        .table("With published figures: average / worst, µs; without load");
    let blocks = vec![Block::Table(table).filled()?];
    Some(Section { blocks, ..Section::default() })
}
