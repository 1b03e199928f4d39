//! All systems in one picture: figures of merit (TEL), and throughput against determinism.

use analysis::Analysis;
use analysis::comparison::{Comparison, LIMIT_NS, decides, throughput, worst_of_all};
use analysis::phrases::maybe;
use analysis::survey::Series;

use super::draws::draws;
use crate::document::{Block, Section};
use crate::figure::{self, Traded};
use crate::measurements::merit::in_general;

/// Returns both pictures, if all times are from one clock.
pub(super) fn shown(analysis: &Analysis, comparison: &Comparison) -> Vec<Section> {
    match &analysis.verdict.clocks_differ {
        Some(_) => Vec::new(),
        None => {
            let variation = maybe(draws(headlines(comparison)), |draws| {
                format!(" The longest time of a test is the longest over {draws}.")
            });
            price(comparison).into_iter().chain(in_general(analysis, &variation)).collect()
        }
    }
}

fn headlines<'c, 'a>(comparison: &'c Comparison<'a>) -> impl Iterator<Item = &'c Series<'a>> {
    let series = comparison.systems.iter().flat_map(|system| &system.series);
    series.filter(|series| series.headline())
}

fn price(comparison: &Comparison) -> Option<Section> {
    let systems = comparison.systems.iter().zip(throughput(&comparison.systems));
    let traded = systems.filter_map(|(system, rate)| {
        Some(Traded {
            name: system.name.clone(),
            worst_ns: worst_of_all(system)?.range_ns(),
            mass_updates_per_s: rate?,
        })
    });
    let traded: Vec<Traded> = traded.collect();
    let deciding = headlines(comparison).filter(|series| decides(series));
    let over = maybe(draws(deciding), |draws| {
        format!(" The point is the longest of {draws}, the line begins at the shortest.")
    });
    let caption = format!(
        "What steadiness costs in speed. To the right: the worst wake-up of a real-time thread with a \
         period of 1 ms, over all loads; the broken line is 1 ms.{over} Upwards: how fast the tire is \
         computed without load. The best system is at the top left. Where all are at one height, \
         steadiness costs a computation nothing; the tables have its cost in wake-ups, messages and \
         interrupts."
    );
    let drawn = Block::Figure(figure::price("price", &caption, LIMIT_NS, &traded)?);
    Some(Section::of("price", "Throughput against determinism", "", vec![drawn]))
}
