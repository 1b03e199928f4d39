//! Wake-ups of periodic threads.

use super::general::distributions;
use super::measured::Measured;
use crate::document::Block;
use crate::figure;
use crate::sections::metrics;
use crate::sections::series::{Metric, of_series};
use analysis::Analysis;
use analysis::survey::{Series, System, distinct, on_all};

pub(super) const MEASUREMENT: &str = "wakeup";
pub(super) const AXIS: &str = "wake-up latency";
/// More lines than that hide each other: those under load then stand in figures of their
/// own only.
const MOST_LINES: usize = 10;

pub(super) const SECTION: Measured = Measured {
    id: "wakeup",
    title: "Wake-ups",
    introduction: "A periodic thread sleeps until its next activation; the time is its actual \
                   minus its scheduled activation. Every period that was due is either executed \
                   or counted as skipped.",
    measurements: &[MEASUREMENT],
    blocks,
};

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let series = on_all(systems, MEASUREMENT);
    let metrics: Vec<Metric> = [metrics::LATENCY, &[metrics::EARLY]].concat();
    let groups = by_load(&series);
    let mut lines = distributions(&series);
    if lines.len() > MOST_LINES && !groups.is_empty() {
        let mut unloaded = series.clone();
        unloaded.retain(|(_, series)| series.spec.asked.loads.is_empty());
        lines = distributions(&unloaded);
    }
    let figures = [
        figure::histogram("wakeup-histogram", AXIS, &lines),
        figure::survival("wakeup-survival", AXIS, &lines),
    ];
    let table = of_series("Wake-up latency", &series, &metrics);
    std::iter::once(Block::Table(table))
        .chain(figures.into_iter().flatten().map(Block::Figure))
        .chain(groups)
        .collect()
}

/// A histogram for each set of conditions that was measured under several loads,
/// one line a machine and load (FRA 4.3).
fn by_load(series: &[(&System, &Series)]) -> Vec<Block> {
    let mut groups: Vec<Vec<(&System, &Series)>> = Vec::new();
    for one in series.iter().filter(|(_, series)| series.headline) {
        match groups
            .iter_mut()
            .find(|group| group[0].1.is_alike_but_for_load(one.1))
        {
            Some(group) => group.push(*one),
            None => groups.push(vec![*one]),
        }
    }
    if groups.len() == 1 {
        // The histogram of all conditions is this one already.
        return Vec::new();
    }
    groups.retain(|group| distinct(group.iter().map(|(_, series)| &series.spec.asked.loads)) > 1);
    let figure = |(index, group): (usize, &Vec<(&System, &Series)>)| {
        let name = format!("wakeup-load-{index}");
        figure::histogram(&name, AXIS, &distributions(group))
    };
    let figures = groups.iter().enumerate().filter_map(figure);
    figures.map(Block::Figure).collect()
}
