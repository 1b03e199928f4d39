//! The largest size that holds for each number of threads, with its evidence, and with what the
//! platform alone disturbed; and the map of all sizes: where misses begin, where they are many, and
//! up to where a size is usable.

mod edges;
mod findings;
mod json;
mod map_findings;
mod mark;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::rc::Rc;

use record::Axis;
use stats::frontier::{Criterion, Demands};

use crate::capacity::{Ends, Grid, Line, grids};
use crate::held::Held;
use crate::share::ManyMisses;
use crate::standards::{Demanded, Limits, Standards, Strictness};
use crate::survey::{Probe, Series, System};
pub use edges::{EdgeSize, Edges, PROPERTIES, Property, best_threads};
pub(crate) use findings::headroom;
pub use findings::{findings, foremost};
#[cfg(feature = "schema")]
pub(crate) use json::Searches;
pub(crate) use json::json;
pub use map_findings::map_findings;
pub use mark::Mark;

/// The frontier at one rate under one set of conditions.
pub struct Frontier<'a> {
    pub grid: Rc<Grid<'a>>,
    pub strictness: Strictness,
    pub limits: Limits,
    pub many: ManyMisses,
}

pub fn grid_frontiers<'a>(
    grids: impl IntoIterator<Item = Rc<Grid<'a>>>,
    standards: &Standards,
) -> Vec<Frontier<'a>> {
    let Standards { strictness, limits, many, .. } = *standards;
    grids.into_iter().map(|grid| Frontier { grid, strictness, limits, many }).collect()
}

impl<'a> Frontier<'a> {
    pub fn demands(&self) -> Demanded {
        self.limits.demands(self.strictness, self.grid.periods())
    }

    pub fn held(&self, line: &Line, size: u64) -> Held {
        let demand = self.demands().of(size);
        line.held(&line.sizes[&size], Criterion::InDeadlines, demand)
    }

    pub fn ends(&self, line: &Line, criterion: Criterion) -> Ends {
        line.ends(criterion, &criterion.demands(&self.demands()))
    }

    /// The number of threads with the largest size shown to hold, else likely to, and its edge.
    pub fn best(&self) -> Option<(&Line<'a>, Ends)> {
        let lines = self.grid.lines.iter().rev();
        let ends = lines.map(|line| (line, self.ends(line, Criterion::InDeadlines)));
        let held = ends.filter(|(_, ends)| ends.held().is_some());
        held.max_by_key(|(_, ends)| (ends.shown.held, ends.so_far.held))
    }

    /// Returns the smallest size that does not hold on the best number of threads, and that number.
    pub fn missed(&self) -> Option<(&Line<'a>, u64)> {
        let best = self.best().map(|(line, _)| line).or(self.grid.lines.last())?;
        Some((best, self.ends(best, Criterion::InDeadlines).missed()?.size))
    }

    /// Whether several sizes were tried; a single size is not a frontier.
    pub fn is_searched(&self) -> bool {
        self.grid.lines.iter().any(|line| line.sizes.len() > 1)
    }
}

/// Series beyond an edge were tried in order to miss, and do not count against the machine.
pub(crate) fn mark_probes(system: &mut System, standards: &Standards) {
    let frontiers = grid_frontiers(grids(system).into_iter().map(Rc::new), standards);
    for frontier in frontiers.into_iter().filter(Frontier::is_searched) {
        let grid = &frontier.grid;
        for series in system.series.iter_mut().filter(|series| grid.has(series.spec)) {
            series.probe = probe(&frontier, series);
        }
    }
}

fn probe(frontier: &Frontier, series: &Series) -> Option<Probe> {
    let threads = series.spec.parameters.threads();
    let line = frontier.grid.lines.iter().find(|line| line.threads == threads)?;
    let held = frontier.ends(line, Criterion::InDeadlines).held();
    let place = Axis::of(series.spec)?.place(series.spec);
    Some(match held.map_or(Ordering::Greater, |held| place.cmp(&held.size)) {
        Ordering::Less => Probe::Below,
        Ordering::Equal => Probe::Edge,
        Ordering::Greater => Probe::Beyond,
    })
}
