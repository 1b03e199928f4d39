//! The section of docs/add-a-section.md.

use analysis::survey::on_all;

use crate::document::Block;
use crate::figure;
use crate::sections::measured::Measured;
use crate::sections::{general, metrics, series};

const MEASUREMENT: &str = "made_up";

pub(super) const SECTION: Measured = Measured {
    id: "made-up",
    title: "A made-up measurement",
    introduction: "What one hint to spin takes.",
    measurements: &[MEASUREMENT],
    blocks: |analysis| {
        let all = on_all(&analysis.systems, MEASUREMENT);
        let table = series::of_series("Times of a hint", &all, metrics::LATENCY);
        let lines = general::distributions(&all);
        let figure = figure::histogram("made-up", "time", &lines);
        let figure = figure.map(Block::Figure);
        [Block::Table(table)].into_iter().chain(figure).collect()
    },
};

#[test]
fn a_section_is_one_file_and_one_line_in_every_form() {
    let mut run = testing::outcomes::wakeup(base::Policy::Fifo(80), None, 8e3, 6e4);
    run.header.spec.measurement = MEASUREMENT.to_owned();
    let standards = analysis::standards::Standards::default();
    let runs = [run];
    let sections = crate::measurements::measured(&analysis::Analysis::of(&runs, &standards));
    let made_up = sections.into_iter().find(|section| section.id == "made-up");
    let document = crate::document::Document::untitled(Vec::from_iter(made_up));
    let page = crate::render::html::page(&document);
    let terminal = crate::render::terminal::terminal(&document);
    for text in [page, terminal] {
        assert!(text.contains("Times of a hint"), "{text}");
    }
}
