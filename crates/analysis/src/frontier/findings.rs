//! Findings of a search: the edge, its evidence, and what disturbed it.

use base::Nanos;
use record::Axis;
use stats::frontier::{Criterion, claims};
use stats::{Distribution, Tries};

use super::Frontier;
use crate::capacity::{End, Line, Size, headroom_ns};
use crate::finding::{AboutCapacity, AboutDeadlines, AboutEffects, Finding, Point};
use crate::held::Held;
use crate::lists::each_once;
use crate::standards::Strictness;
use crate::survey::{self, System};
use crate::{invalid, words};

/// Returns the search that an answer is about: the first in which anything holds, else the first.
pub fn foremost<'f, 'a>(frontiers: &[&'f Frontier<'a>]) -> Option<&'f Frontier<'a>> {
    let best = frontiers.iter().find(|frontier| frontier.best().is_some());
    best.or(frontiers.first()).copied()
}

/// With `size`, also how much longer a step of that size can take.
pub fn findings(systems: &[System], frontiers: &[&Frontier], size: Option<u64>) -> Vec<Finding> {
    let outcomes: Vec<_> = systems.iter().flat_map(|system| &system.outcomes).copied().collect();
    let invalid = invalid::finding(&outcomes);
    let Some(frontier) = foremost(frontiers) else {
        return [invalid::nothing(&outcomes)].into_iter().chain(invalid).collect();
    };
    let lines = &frontier.grid.lines;
    let best = frontier.best().map(|(line, _)| line).or(lines.last());
    let of_size = lines.iter().filter_map(|line| frontier.headroom(line, size?));
    let run = Finding::Effects(AboutEffects::Run { run: frontier.grid.title() });
    let details = best.map_or_else(Vec::new, |line| frontier.details(line));
    let found = [frontier.edge()].into_iter().chain(invalid).chain(of_size).chain([run]);
    each_once(found.chain(details))
}

impl Frontier<'_> {
    pub fn edge(&self) -> Finding {
        let best = self.best().and_then(|(line, ends)| Some((line.threads, ends.held()?)));
        let limit =
            (self.strictness != Strictness::Hard).then(|| self.limits.words(self.strictness));
        Finding::Capacity(AboutCapacity::Edge {
            axis: self.grid.axis.clone(),
            rate_hz: self.grid.rate_hz(),
            limit,
            held: best.map(|(_, end)| end),
            threads: best.map(|(threads, _)| threads),
        })
    }

    pub fn details(&self, line: &Line) -> Vec<Finding> {
        let ends = self.ends(line, Criterion::InDeadlines);
        let missed = ends.missed().map(|missed| {
            let what = words::on(&self.grid.axis, missed.size, line.threads);
            (what, self.held(line, missed.size).tries)
        });
        let (axis, places) = (self.grid.axis.clone(), ends.shown.held_above.clone());
        let is_above = !places.is_empty();
        let above = AboutCapacity::HeldAbove { axis, threads: line.threads, places };
        let held = ends.held();
        [
            held.map(|held| self.miss_rate(line, held.size)),
            Some(beyond(&self.grid.axis, line.sizes.keys().next_back().copied(), missed)),
            is_above.then_some(Finding::Capacity(above)),
            self.stalls(line),
            held.and_then(|held| self.headroom(line, held.size)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Reports how much longer steps of a size can take; `None` for a size that was not tried.
    pub fn headroom(&self, line: &Line, size: u64) -> Option<Finding> {
        let tried = line.sizes.get(&size)?;
        let held = self.ends(line, Criterion::InDeadlines).held();
        let larger = held.filter(|held| held.size > size && self.grid.axis != Axis::Rate);
        let larger = larger.and_then(|held| {
            let longer_ns = line.sizes[&held.size].usual_ns() - tried.usual_ns();
            (longer_ns > 0.0).then_some((held, longer_ns))
        });
        let at = Some(self.point(line, size));
        headroom(&tried.latency()?, self.grid.period(size), at, larger)
    }

    fn point(&self, line: &Line, place: u64) -> Point {
        Point { axis: self.grid.axis.clone(), place, threads: line.threads }
    }

    fn miss_rate(&self, line: &Line, size: u64) -> Finding {
        let Held { tries, bound, .. } = self.held(line, size);
        Finding::Capacity(AboutCapacity::EdgeEvidence {
            at: self.point(line, size),
            missed: tries.missed,
            due: tries.due,
            runs: tries.runs,
            upper: bound.upper,
            upper_per_hour: bound.upper * 3.6e12 / self.grid.period(size).0.max(1) as f64,
            shared_by: line.tried(),
            bad_runs: tries.bad_runs(claims(line.tried())),
            runs_differ: tries.runs_differ(),
        })
    }

    fn stalls(&self, line: &Line) -> Option<Finding> {
        let fits = self.ends(line, Criterion::InSteps).held()?.size;
        let fitting = || line.sizes.range(..=fits).map(|(_, size)| size);
        let total = |of: fn(&Size) -> u64| fitting().map(of).sum::<u64>();
        let but_for_platform = self.ends(line, Criterion::ButForPlatform);
        let missed = total(|size| size.deadlines.missed);
        let found = AboutCapacity::Stalls {
            at: self.point(line, fits),
            missed,
            due: total(|size| size.deadlines.due),
            steps: total(|size| size.steps.missed),
            excused: (total(|size| size.blamed) > 0).then(|| total(|size| size.excused)),
            held: but_for_platform.held(),
            first_missed: but_for_platform.missed(),
            steal_ns: survey::steal_ns(fitting().flat_map(|size| size.runs.iter().copied())),
        };
        (missed > 0).then_some(Finding::Capacity(found))
    }
}

/// Reports the first miss beyond what holds, or the last size that was tried.
pub(crate) fn beyond(axis: &Axis, last: Option<u64>, missed: Option<(String, Tries)>) -> Finding {
    match missed {
        Some((what, Tries { missed, due, .. })) => {
            Finding::Deadlines(AboutDeadlines::Missed { cases: vec![(what, missed, due)] })
        }
        None => Finding::Capacity(AboutCapacity::NothingBeyond { axis: axis.clone(), last }),
    }
}

/// Reports how much longer steps that ended like these can take; `None` for too few steps.
pub(crate) fn headroom(
    latency: &Distribution,
    period: Nanos,
    at: Option<Point>,
    larger: Option<(End, f64)>,
) -> Option<Finding> {
    let [p99, worst] = headroom_ns(Some(latency), period);
    Some(Finding::Capacity(AboutCapacity::Headroom {
        at,
        steps: latency.count(),
        p99_ns: p99?,
        worst_ns: worst?,
        larger,
    }))
}
