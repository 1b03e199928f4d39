//! Interrupts from different sources.

use super::general;
use super::{Block, Section};
use crate::figure;
use crate::html::metrics;
use crate::html::table;
use crate::survey::{System, on_all};

const MEASUREMENT: &str = "interrupt";

pub(super) const SECTION: Section = Section {
    id: "interrupt",
    title: "Interrupt latency",
    introduction: "From raising an interrupt to the thread that waits for it, for each source. \
                   Variation is the longest minus the shortest time. Sources raise in different \
                   ways, so that their times differ by more than the interrupt: compare machines \
                   by one source, not sources with each other.",
    measurements: &[MEASUREMENT],
    blocks,
};

fn blocks(systems: &[System]) -> Vec<Block> {
    let series = on_all(systems, MEASUREMENT);
    let table = table::of_series("Interrupt latency", &series, metrics::VARIATION);
    let lines = general::named(&series);
    let histogram = figure::histogram("interrupt-histogram", "interrupt latency", &lines);
    std::iter::once(Block::Table(table))
        .chain(histogram.map(Block::Figure))
        .collect()
}
