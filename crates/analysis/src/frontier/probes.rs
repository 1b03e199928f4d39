//! Runs of a search that provoked misses to find the edge.

use std::cmp::Ordering;
use std::rc::Rc;

use plan::Axis;
use stats::frontier::Criterion;

use super::Frontier;
use crate::capacity::{alike, grids};
use crate::standards::Standards;
use crate::survey::{Probe, Series, System};

/// Marks the series of every search: those beyond its edge were tried in order to miss, and do not
/// count against the machine.
pub(crate) fn mark_probes(system: &mut System, standards: &Standards) {
    let frontiers = super::of(grids(system).into_iter().map(Rc::new), standards);
    for frontier in frontiers.into_iter().filter(Frontier::is_searched) {
        let spec = frontier.grid.spec;
        for series in system.series.iter_mut().filter(|series| alike(spec, series.spec)) {
            series.probe = probe(&frontier, series);
        }
    }
}

fn probe(frontier: &Frontier, series: &Series) -> Option<Probe> {
    let threads = series.spec.parameters.count("threads");
    let line = frontier.grid.lines.iter().find(|line| line.threads == threads)?;
    let held = frontier.ends(line, Criterion::InDeadlines).held();
    let place = Axis::of(series.spec)?.place(series.spec);
    Some(match held.map_or(Ordering::Greater, |held| place.cmp(&held.size)) {
        Ordering::Less => Probe::Below,
        Ordering::Equal => Probe::Edge,
        Ordering::Greater => Probe::Beyond,
    })
}
