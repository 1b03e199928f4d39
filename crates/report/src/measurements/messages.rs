//! Messages between two tasks, and within one task.

use analysis::Analysis;
use analysis::merit::DERIVED;
use analysis::survey::{Series, System};
use record::Family;

use crate::document::{Block, Cell, TableOf};
use crate::figure::{self, Range};
use crate::sections::measured::Measured;
use crate::sections::metrics;
use crate::sections::series::Metric;

pub(super) const SECTION: Measured = Measured {
    id: "messages",
    title: "Messages",
    introduction: "A transfer takes 16 bytes from one task to another, from before the write to \
                   after the read: write, wake-up, switch and read. On one CPU the reader, one priority above the \
                   writer, takes the CPU within the writer\u{2019}s call. The context switch is derived: \
                   the mean transfer through a FIFO minus the mean round trip of one task alone, \
                   measured in turns. It has no worst case of its own.",
    measurements: Family::Messages.measurements(),
    blocks,
};

const METRICS: &[Metric] = &[
    Metric::Own("Average, µs", |series| Cell::or(series.average_ns(), "no sample", Cell::micros)),
    metrics::P99,
    metrics::WORST,
    metrics::WORST_AT,
    Metric::Own("Share of transfer", |series| {
        series.share().map_or_else(Cell::default, |share| Cell::share(share).titled(""))
    }),
    metrics::SAMPLES,
];

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let mut series: Vec<(&System, &Series)> = Vec::new();
    for system in systems.iter() {
        for name in Family::Messages.measurements() {
            series.extend(system.of(name).map(|series| (system, series)));
        }
    }
    let caption = "Average and worst case of each channel.";
    let figure = figure::ranges("messages", caption, &ranges(systems.len(), &series));
    let table = TableOf::of(&series)
        .text("Measurement", |(_, series)| &series.spec.measurement)
        .measured(|row| *row, METRICS)
        .table("Messages through each channel");
    figure.map(Block::Figure).into_iter().chain([Block::Table(table)]).collect()
}

/// Returns a range for each test, named by the conditions that distinguish it.
fn ranges(machines: usize, all: &[(&System, &Series)]) -> Vec<Range> {
    let peers: Vec<&Series> = all.iter().map(|(_, series)| *series).collect();
    let tests = all.iter().filter(|(_, series)| series.spec.measurement != DERIVED);
    tests
        .filter_map(|(system, series)| {
            let latency = series.latency.as_ref()?;
            let test = series.spec.measurement.replace('_', " ");
            let conditions = series.conditions(&peers);
            let machine = if machines == 1 { String::new() } else { format!("{}: ", system.name) };
            let name = format!("{machine}{test}, {}, {conditions}", series.label);
            Some(Range::measured(name, latency))
        })
        .collect()
}
