//! All systems in one picture: figures of merit (TEL), and throughput against determinism.

use analysis::Analysis;
use analysis::comparison::{Comparison, LIMIT_NS, throughput, worst_of_all};

use crate::document::{Block, Section};
use crate::figure;
use crate::measurements::merit::in_general;

/// Returns both pictures, if all times are from one clock.
pub(super) fn shown(analysis: &Analysis, comparison: &Comparison) -> Vec<Section> {
    match &analysis.verdict.clocks_differ {
        Some(_) => Vec::new(),
        None => price(comparison).into_iter().chain(in_general(analysis)).collect(),
    }
}

fn price(comparison: &Comparison) -> Option<Section> {
    let systems = comparison.systems.iter().zip(throughput(&comparison.systems));
    let traded = systems
        .filter_map(|(system, rate)| Some((system.name.clone(), worst_of_all(system)?.0, rate?)));
    let traded: Vec<_> = traded.collect();
    let caption = "What steadiness costs in speed. To the right: the worst wake-up of a real-time \
                   thread with a period of 1 ms, over all loads; the broken line is 1 ms. Upwards: how fast the tire is computed \
                   without load. The best system is at the top left. Where all are at one \
                   height, steadiness costs a computation nothing; the tables have its cost in \
                   wake-ups, messages and interrupts.";
    let drawn = Block::Figure(figure::price("price", caption, LIMIT_NS, &traded)?);
    Some(Section::of("price", "Throughput against determinism", "", vec![drawn]))
}
