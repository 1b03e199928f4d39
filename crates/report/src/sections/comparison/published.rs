//! Measured and published figures of one test beside each other.

use analysis::comparison::{Comparison, beside};
use analysis::published::Latency;
use analysis::words;

use crate::document::{Block, Cell, Column, Line, Section, Table};

/// A line a published test: measured systems, then published ones; `None` without any.
pub(crate) fn published(comparison: &Comparison) -> Option<Section> {
    let (names, tests) = beside(comparison);
    let brief = |[average, worst]: &[f64; 2]| {
        let [average, worst] = [*average, *worst].map(words::brief_micros);
        Cell::number(format!("{average} / {worst}"), "")
    };
    let missing = || Cell::none("not measured, or not published");
    let line = |test: &analysis::comparison::Beside| {
        let measured = test.measured.iter();
        let measured = measured.map(|measured| measured.as_ref().map_or_else(missing, brief));
        let published = test.published.iter().map(|published| {
            let words = published.as_ref().map(Latency::in_words);
            words.map_or_else(missing, |words| Cell::number(words, ""))
        });
        let name = Cell::text(test.test.replace('_', " "));
        Line::of(std::iter::once(name).chain(measured).chain(published).collect())
    };
    let own = comparison.systems.iter().map(|system| system.name.clone());
    let heads = own.chain(names).map(|name| Column::numbers(&name));
    (!tests.is_empty()).then(|| Section {
        blocks: vec![Block::Table(Table {
            caption: "Beside published figures: average / worst, µs; without load".to_owned(),
            columns: std::iter::once(Column::words("")).chain(heads).collect(),
            rows: tests.iter().map(line).collect(),
            ..Table::default()
        })],
        ..Section::default()
    })
}
