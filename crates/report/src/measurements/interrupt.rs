//! Interrupts from different sources.

use analysis::Analysis;
use analysis::survey::{Series, on_all};
use record::{Fact, fact};

use crate::document::{Block, Cell};
use crate::figure;
use crate::sections::measured::Measured;
use crate::sections::series::{Metric, of_series};
use crate::sections::{general, metrics};

const MEASUREMENT: &str = "interrupt";

pub(super) const SECTION: Measured = Measured {
    id: "interrupt",
    title: "Interrupt latency",
    introduction: "From raising an interrupt to the thread that waits for it, for each source. \
                   Variation is the longest minus the shortest time. Sources raise in different \
                   ways, so that their times differ by more than the interrupt: compare machines \
                   by one source, not sources with each other. Interrupts that have no time are counted: \
                   raised and never come (unanswered), come at another time than asked for (not in \
                   time), or raised by nobody (strays).",
    measurements: &[MEASUREMENT],
    blocks,
};

const COUNTS: &[Metric] = &[
    Metric::Of(&fact::UNANSWERED, total),
    Metric::Of(&fact::NOT_IN_TIME, total),
    Metric::Of(&fact::SPURIOUS, total),
];

fn total(series: &Series, fact: &Fact) -> Cell {
    Cell::or(series.total(fact), "not counted", Cell::count)
}

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let series = on_all(systems, MEASUREMENT);
    let table = of_series("Interrupt latency", &series, metrics::VARIATION);
    let mut counted = series.clone();
    counted.retain(|(_, series)| series.total(&fact::SPURIOUS).is_some());
    let counts = Block::Table(of_series("Interrupts without a time", &counted, COUNTS)).filled();
    let lines = general::named(&series);
    let histogram = figure::histogram("interrupt-histogram", "interrupt latency", &lines);
    std::iter::once(Block::Table(table)).chain(counts).chain(histogram.map(Block::Figure)).collect()
}
