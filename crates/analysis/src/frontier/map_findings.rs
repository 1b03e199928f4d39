//! Findings of a map.

use super::Frontier;
use super::findings::beyond;
use crate::capacity::End;
use crate::finding::{AboutCapacity, AboutEffects, Finding};
use crate::invalid;
use crate::survey::System;

pub fn map_findings(systems: &[System], maps: &[Frontier]) -> Vec<Finding> {
    let outcomes: Vec<_> = systems.iter().flat_map(|system| &system.outcomes).copied().collect();
    let invalid = invalid::finding(&outcomes);
    let first = maps.first().and_then(|map| Some((&map.grid, map.edges().pop()?)));
    let Some((grid, edges)) = first else {
        return [invalid::nothing(&outcomes)].into_iter().chain(invalid).collect();
    };
    let [shown, clean] = [edges.shown, edges.clean].map(|size| size.map(|(size, _)| size));
    let end = |shown| move |size| End { size, shown };
    let edge = Finding::Capacity(AboutCapacity::Edge {
        axis: grid.axis.clone(),
        rate_hz: grid.rate_hz(),
        limit: None,
        held: shown.map(end(true)).or(clean.map(end(false))),
        threads: edges.threads,
    });
    let missed = edges.first_miss.map(|(size, tries)| (grid.size_in_words(size), tries));
    let last = grid.lines.iter().filter_map(|line| line.sizes.keys().next_back().copied()).max();
    let beyond = beyond(&grid.axis, last, missed);
    let run = Finding::Effects(AboutEffects::Run { run: grid.title() });
    let tables = maps.len();
    let several = (tables > 1).then_some(Finding::Effects(AboutEffects::FirstTableOf { tables }));
    [edge, beyond].into_iter().chain(invalid).chain([run]).chain(several).collect()
}
