//! Chooses the run that gives most information about the position of the edge.

use std::iter::successors;

use super::{Criterion, Demand, Demands, Edge, Known, Seen, Standing, standings};
use crate::Tries;
use crate::random::Random;

/// What to search for, and how closely. Sizes are multiples of `grain`.
#[derive(Debug, Clone, PartialEq)]
pub struct Search<D: Demands = Demand> {
    /// What a size must meet to hold.
    pub demand: D,
    /// The edges to find, in the order of the search.
    pub edges: Vec<Sought>,
    /// Which sizes come first.
    pub start: Start,
    /// Largest allowed distance of both ends of an edge.
    pub spacing: Spacing,
    /// Sizes are multiples of this.
    pub grain: u64,
    /// Smallest allowed size.
    pub smallest: u64,
    /// Largest allowed size.
    pub largest: u64,
    /// Deadline of a step, in nanoseconds; if that differs between sizes, the deadline of any of
    /// them.
    pub period_ns: f64,
    /// Number of deadlines, at that period, of a short run that only shows on which side of the
    /// edge a size is.
    pub quick: u64,
}

/// An edge that a search looks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sought {
    /// Which misses decide it.
    pub criterion: Criterion,
    /// The share of misses up to which a size holds, 0 to 1, if that is not the search's demand. An
    /// edge of a share is narrowed, and its ends are not confirmed.
    pub most: Option<f64>,
    /// Whether it is above the largest size that holds, even if a smaller one does not.
    pub is_last: bool,
}

/// Which sizes a search tries first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Two pilots, the first of this size, show how the time of a step grows.
    Pilots(u64),
    /// The smallest size, doubled up to this one, and on until the two largest miss every edge.
    Doubled(u64),
    /// All sizes of the grid, in random order, and no others.
    Grid,
}

/// The largest distance between neighbouring sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spacing {
    /// A share of the larger size; above 0.
    Share(f64),
    /// A number of units.
    Step(u64),
}

impl Spacing {
    fn at(self, size: f64) -> f64 {
        match self {
            Self::Share(share) => size * share,
            Self::Step(step) => step as f64,
        }
    }
}

impl Sought {
    /// The edges of the sizes that hold: first where steps themselves get too long, which is near
    /// what two pilots predict, is not moved by a stall, and takes short runs; then, from there
    /// down, where deadlines are missed without the platform's stalls, and with them.
    pub const HELD: [Self; 3] = [
        Self::of(Criterion::InSteps),
        Self::of(Criterion::ButForPlatform),
        Self::of(Criterion::InDeadlines),
    ];

    const fn of(criterion: Criterion) -> Self {
        Self { criterion, most: None, is_last: false }
    }

    /// The edge of the sizes that miss at most this share of their deadlines.
    pub const fn of_share(most: f64) -> Self {
        Self { most: Some(most), ..Self::of(Criterion::InDeadlines) }
    }
}

/// A run to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// Size to run.
    pub size: u64,
    /// Number of deadlines in the run.
    pub steps: u64,
}

/// The largest factor by which a size may exceed the largest one that fits.
const MOST_GROWTH: f64 = 8.0;
/// Fraction of the gap between the ends, as a divisor: the next size keeps at least this distance
/// from both.
const FROM_ENDS: f64 = 8.0;
/// A prediction is used only if the ends are at least this many resolutions apart.
const FAR: f64 = 4.0;
/// Doubled sizes end once this many of the largest miss: a single one may have met a stall that has
/// nothing to do with its size.
const ENOUGH_MISSED: usize = 2;
/// Runs that look for rare misses have at least 1 in this many of the required deadlines: if such
/// misses occur at any size, most sizes are ruled out at once.
const PART_OF_DEMAND: u64 = 4;
/// A size whose miss rate equals the limit can never be shown to be on either side. It is given up
/// after this many times the deadlines that would show a size without misses to hold.
const MOST_TRIED: u64 = 16;
/// Runs repeated to measure run-to-run variation are shorter than narrowing runs by this factor.
const REPEATED_SHORTER: u64 = 4;
/// Limit of the number of runs in a forecast.
const MOST_IMAGINED: usize = 1000;

impl<D: Demands> Search<D> {
    /// Returns the most informative run after those that are known, or `None` if both ends of every
    /// edge are shown and close to each other.
    ///
    /// After the first sizes, each edge is first narrowed, then its preliminary ends are confirmed
    /// with more runs.
    pub fn next(&self, known: &Known) -> Option<Next> {
        let first = match self.start {
            Start::Pilots(first) => self.pilot(first, known),
            Start::Doubled(reach) => self.doubled(reach, known),
            Start::Grid => self.untried(known).min_by_key(|size| Random::new(*size).next()),
        };
        let first = first.map(|size| Next { size, steps: self.quick(size) });
        let mut edges = self.edges.iter().filter(|_| self.start != Start::Grid);
        let of_edge = |sought: &Sought| {
            let least = match (sought.criterion, sought.most) {
                (Criterion::InSteps, _) | (_, Some(_)) => |_| 0,
                _ => |demand: Demand| demand.least / PART_OF_DEMAND,
            };
            let narrowed = self.narrowed(known, sought).map(|size| Next {
                size,
                steps: self.quick(size).max(least(self.demand.of(size))),
            });
            narrowed.or_else(|| self.confirmed(known, sought))
        };
        first.or_else(|| edges.find_map(of_edge))
    }

    fn quick(&self, size: u64) -> u64 {
        let quick = self.quick as f64 * self.demand.times_as_often(size);
        (quick.ceil() as u64).max(1)
    }

    /// Returns what a size must meet to be below this edge.
    fn demand_of(&self, sought: &Sought, size: u64) -> Demand {
        match sought.most {
            Some(most) => Demand { most, shown: most, ..Demand::NO_MISS },
            None => sought.criterion.demands(&self.demand).of(size),
        }
    }

    /// Returns the sizes on both sides of an edge, as it seems so far.
    pub fn ends(&self, known: &Known, sought: &Sought) -> [Option<u64>; 2] {
        let demands = |size| self.demand_of(sought, size);
        let edge = Edge::so_far(&standings(known, sought.criterion, &demands));
        match edge.last().filter(|_| sought.is_last) {
            Some(last) => [Some(last), known.range(last + 1..).next().map(|(size, _)| *size)],
            None => [edge.held, edge.missed],
        }
    }

    /// Returns the runs that are still to come if all sizes that seem to hold do hold.
    pub fn left(&self, known: &Known) -> Vec<Next> {
        if self.start == Start::Grid {
            let next = |size| Next { size, steps: self.quick(size) };
            return self.untried(known).map(next).collect();
        }
        let mut imagined = known.clone();
        let mut left = Vec::new();
        while let Some(next) = self.next(&imagined).filter(|_| left.len() < MOST_IMAGINED) {
            let seen = self.imagined(&imagined, next);
            imagined.entry(next.size).or_default().add(seen);
            left.push(next);
        }
        left
    }

    /// Returns the number of sizes of a grid with the same reach and resolution, evenly spaced
    /// after pilots.
    pub fn grid_size(&self, known: &Known) -> u64 {
        let largest = known.keys().last().copied().unwrap_or(self.largest);
        match self.start {
            Start::Pilots(_) => {
                let distance = self.spacing.at(largest as f64).max(self.grain as f64);
                (largest as f64 / distance).ceil() as u64
            }
            Start::Doubled(_) | Start::Grid => self.grid(largest).count() as u64,
        }
    }

    /// Returns the sizes of a grid from the smallest up to `largest`.
    fn grid(&self, largest: u64) -> impl Iterator<Item = u64> {
        let next = move |size: &u64| {
            let next = *size as f64 + self.spacing.at(*size as f64);
            let next = next as u64 / self.grain * self.grain;
            Some(next.max(size + self.grain)).filter(|next| *next <= largest)
        };
        successors(Some(self.smallest), next)
    }

    fn untried(&self, known: &Known) -> impl Iterator<Item = u64> {
        self.grid(self.largest).filter(|size| !known.contains_key(size))
    }

    /// Ends the search below a size that cannot be run. Returns false if no smaller one is left.
    pub fn end_below(&mut self, size: u64, known: &Known) -> bool {
        let smaller = match self.start {
            Start::Grid => self.grid(size - 1).last().filter(|smaller| *smaller < size),
            _ => known.range(..size).next_back().map(|(smaller, _)| *smaller),
        };
        self.largest = smaller.unwrap_or(self.largest);
        smaller.is_some()
    }

    /// Returns the first untried size of those that double.
    fn doubled(&self, reach: u64, known: &Known) -> Option<u64> {
        let is_missed = |(size, seen): &(&u64, &Seen)| {
            let is_beyond = |sought: &Sought| {
                let tries = sought.criterion.of(seen);
                !self.demand_of(sought, **size).standing(tries, known.len()).is_good()
            };
            self.edges.iter().all(is_beyond)
        };
        let missed = known.iter().rev().take(ENOUGH_MISSED).filter(is_missed).count();
        let next =
            |size: &u64| (*size < self.largest).then(|| size.saturating_mul(2).min(self.largest));
        let mut sizes = successors(Some(self.smallest), next)
            .take_while(|size| *size <= reach || missed < ENOUGH_MISSED);
        sizes.find(|size| !known.contains_key(size))
    }

    /// Two sizes show how the time of a step grows: a small one, and the one that would take half a
    /// period if all step time were proportional to the masses.
    fn pilot(&self, first: u64, known: &Known) -> Option<u64> {
        let mut fitting = known.iter().filter(|(_, seen)| self.fits(seen, known));
        match (fitting.next(), fitting.next()) {
            (None, _) if known.is_empty() => Some(first),
            (Some((size, seen)), None) if known.len() == 1 => {
                let growth = self.period_ns / 2.0 / seen.usual_ns.max(1.0);
                let size = *size as f64 * growth.min(MOST_GROWTH * MOST_GROWTH);
                Some(self.rounded(size)).filter(|size| !known.contains_key(size))
            }
            _ => None,
        }
    }

    /// Returns a size between the ends, or beyond the only end; `None` if they are close enough.
    fn narrowed(&self, known: &Known, sought: &Sought) -> Option<u64> {
        match self.ends(known, sought) {
            [Some(held), None] => self.beyond(held, known),
            [held, Some(missed)] => self.within(held.unwrap_or(0), missed, known),
            [None, None] => None,
        }
    }

    fn beyond(&self, held: u64, known: &Known) -> Option<u64> {
        let held = held as f64;
        let next = held + 2.0 * self.spacing.at(held);
        let aim = self.predicted(known).unwrap_or(next);
        let aim = aim + self.spacing.at(aim) / 2.0;
        let size = self.rounded(aim.max(next).min(held * MOST_GROWTH));
        let size = size.max(held as u64 + self.grain);
        (size > held as u64 && size <= self.largest).then_some(size)
    }

    fn within(&self, held: u64, missed: u64, known: &Known) -> Option<u64> {
        let gap = missed - held;
        let near = self.spacing.at(missed as f64);
        if missed <= self.smallest || gap <= self.grain || held > 0 && gap as f64 <= near {
            return None;
        }
        let (low, high) = (held as f64, missed as f64);
        let predicted = self.predicted(known);
        let aim = predicted.filter(|at| gap as f64 > FAR * near && (low..high).contains(at));
        // First one side of the prediction, then the other: the rest is between them.
        let aim = aim.map_or(f64::midpoint(low, high), |at| {
            let below = at - self.spacing.at(at) / 2.0;
            if below > low + near / 2.0 { below } else { at + self.spacing.at(at) / 2.0 }
        });
        let margin = gap as f64 / FROM_ENDS;
        let size = self.rounded(aim.clamp(low + margin, high - margin));
        let least = (held + self.grain).max(self.smallest);
        let size = size.clamp(least, (missed - self.grain).max(least));
        (size > held && size < missed).then_some(size)
    }

    /// Returns another run of an end that is not shown yet, the lower end first.
    fn confirmed(&self, known: &Known, sought: &Sought) -> Option<Next> {
        let ends = self.ends(known, sought).into_iter().flatten();
        let of_end = |size: u64| {
            let tries = sought.criterion.of(known.get(&size)?);
            Some(Next { size, steps: self.more(sought.criterion, size, tries, known.len())? })
        };
        ends.filter(|_| sought.most.is_none()).find_map(of_end)
    }

    /// Returns the number of deadlines for another run of a size that is one of `among` and has
    /// these `tries`. Returns `None` if the size is shown to hold or not to hold, or is given up.
    ///
    /// If no miss is allowed, the missing deadlines are divided over several runs: many short runs
    /// show run-to-run variation better than few long ones. If some misses are allowed, each run is
    /// as long as all before it together: the miss rate is judged after every run, and the more
    /// often it is judged, the more often the judgement is wrong. Short runs follow if there were
    /// too few runs.
    pub fn more(&self, criterion: Criterion, size: u64, tries: Tries, among: usize) -> Option<u64> {
        let demand = criterion.demands(&self.demand).of(size);
        let enough = demand.enough(among);
        let standing = demand.standing(tries, among);
        if matches!(standing, Standing::Held | Standing::Missed) || tries.due >= MOST_TRIED * enough
        {
            return None;
        }
        let lacks = enough.saturating_sub(tries.due);
        let quick = self.quick(size);
        let longer = tries.due.max(quick);
        let short = (quick / REPEATED_SHORTER).max(1);
        let is_hard = demand.most == 0.0;
        Some(match demand.enough_runs(among).saturating_sub(tries.runs) {
            0 if lacks == 0 => longer,
            runs @ 1.. if is_hard || lacks == 0 => lacks.div_ceil(runs).max(short),
            _ => lacks.min(longer),
        })
    }

    /// Returns the size whose steps take a period, extrapolated from the two largest that fit, or
    /// from one if all step time were proportional to the masses.
    fn predicted(&self, known: &Known) -> Option<f64> {
        let fitting = known.iter().filter(|(_, seen)| self.fits(seen, known));
        let mut largest = fitting.rev().map(|(size, seen)| (*size as f64, seen.usual_ns));
        let (size, time) = largest.next()?;
        let growth = largest
            .next()
            .map(|(smaller, shorter)| (time - shorter) / (size - smaller))
            .filter(|growth| *growth > 0.0)
            .unwrap_or(time / size);
        let predicted = size + (self.period_ns - time) / growth;
        (growth > 0.0).then(|| predicted.clamp(self.smallest as f64, self.largest as f64))
    }

    /// Returns the result of a run if steps take as long as predicted and nothing disturbs them. The
    /// first run of all has far shorter steps than a period.
    fn imagined(&self, known: &Known, next: Next) -> Seen {
        let first = if known.is_empty() { MOST_GROWTH } else { 1.0 };
        let ends_at = self.predicted(known).unwrap_or(next.size as f64 * first);
        let missed = if next.size as f64 > ends_at { next.steps } else { 0 };
        let tries = Tries::one(next.steps, missed);
        Seen {
            deadlines: tries,
            own: tries,
            steps: tries,
            usual_ns: self.period_ns * next.size as f64 / ends_at,
        }
    }

    fn fits(&self, seen: &Seen, known: &Known) -> bool {
        let standing = Demand::FITS.standing(seen.steps, known.len());
        standing.is_good() && seen.usual_ns < self.period_ns
    }

    fn rounded(&self, size: f64) -> u64 {
        let grains = (size / self.grain as f64).round() as u64;
        (grains * self.grain).clamp(self.smallest, self.largest)
    }
}
