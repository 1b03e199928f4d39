//! Wake-ups of periodic threads.

use super::general::distributions;
use super::{Block, Section};
use crate::figure;
use crate::html::metrics;
use crate::html::table::{self, Metric};
use crate::survey::{System, on_all};

const MEASUREMENT: &str = "wakeup";

pub(super) const SECTION: Section = Section {
    id: "wakeup",
    title: "Wake-ups",
    introduction: "A periodic thread sleeps until its next activation; the time is its actual \
                   minus its scheduled activation. Every period that was due is either executed \
                   or counted as skipped.",
    measurements: &[MEASUREMENT],
    blocks,
};

fn blocks(systems: &[System]) -> Vec<Block> {
    let series = on_all(systems, MEASUREMENT);
    let metrics: Vec<Metric> = [metrics::LATENCY, &[metrics::EARLY]].concat();
    let lines = distributions(&series);
    let axis = "wake-up latency";
    let figures = [
        figure::histogram("wakeup-histogram", axis, &lines),
        figure::survival("wakeup-survival", axis, &lines),
    ];
    let table = table::of_series("Wake-up latency", &series, &metrics);
    std::iter::once(Block::Table(table))
        .chain(figures.into_iter().flatten().map(Block::Figure))
        .collect()
}
