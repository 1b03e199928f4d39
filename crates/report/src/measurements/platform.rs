//! Intervals in which nothing of the kernel ran.

use analysis::conditions::joined;
use analysis::survey::{Series, System, on_all};
use analysis::{Analysis, words};
use record::{Fact, fact};

use crate::document::{Block, Cell};
use crate::figure::{self, Gaps};
use crate::sections::measured::Measured;
use crate::sections::series::{Metric, of_series};
use crate::sections::{general, metrics};

const MEASUREMENT: &str = "platform_gap";

pub(super) const SECTION: Measured = Measured {
    id: "platform",
    title: "Platform gaps",
    introduction: "A loop that does nothing but read the clock, and the gaps in it. Platform: \
                   nothing of this kernel ran, so a hypervisor or firmware had the CPU. Steal: the \
                   hypervisor says so. Interrupts and other tasks are this kernel's. Unclear: the \
                   kernel's counts do not decide, for example when a timer tick came near a short gap. A \
                   latency up to the size of the worst platform gap may be the platform's.",
    measurements: &[MEASUREMENT],
    blocks,
};

const GAPS: &[Metric] = &[
    Metric::Own("Gaps", |series| Cell::count(series.executed())),
    Metric::Own("Gaps per minute", |series| told(series, &fact::GAPS_PER_MINUTE, Cell::quantity)),
    Metric::Own("Total", |series| {
        told(series, &fact::TOTAL_NS, |ns| Cell::figure(ns, words::time, "ns"))
    }),
    Metric::Own("Share of the time", |series| {
        let in_words = |percent| words::percent(percent / 100.0);
        told(series, &fact::SHARE_PERCENT, |percent| Cell::figure(percent, in_words, "%"))
    }),
    metrics::WORST,
    metrics::WORST_AT,
];

fn told(series: &Series, fact: &Fact, cell: impl Fn(f64) -> Cell) -> Cell {
    Cell::or(series.mean(fact), metrics::NOT_RECORDED, cell)
}

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let series = on_all(systems, MEASUREMENT);
    let mut table = of_series("Gaps by cause", &series, GAPS);
    table.note = observed(&series);
    let histogram =
        figure::histogram("platform-histogram", "length of the gap", &general::named(&series));
    std::iter::once(Block::Table(table)).chain(histogram.map(Block::Figure)).collect()
}

fn observed(series: &[(&System, &Series)]) -> String {
    let scans = series.iter().filter(|(_, series)| series.headline());
    let times = scans.filter_map(|(_, series)| {
        let time = words::time(series.mean(&fact::OBSERVED_NS)?);
        let share = words::percent(series.mean(&fact::OBSERVED_PERCENT)? / 100.0);
        Some(format!("{time}, {share} of the run"))
    });
    format!("Time of spinning, over all CPUs: {}.", joined(times))
}

/// Returns the longest gap in each interval, from the newest run that recorded gaps.
pub(super) fn gaps_over_time<'a>(system: &System<'a>) -> Option<Gaps<'a>> {
    let recorded = system.of(MEASUREMENT).filter_map(|series| {
        let bins = series.facts(&fact::STRIP).last()?.as_array()?;
        Some(Gaps { bins, length_ns: series.spec.asked.duration.0 as f64 })
    });
    recorded.last()
}
