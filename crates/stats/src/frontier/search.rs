//! Chooses the run that gives most information about the position of the edge.

use super::{Criterion, Demand, Demands, Edge, Known, Seen, Standing};
use crate::Tries;

/// What to search for, and how closely. Sizes are multiples of `grain`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search<D: Demands = Demand> {
    /// What a size must meet to hold.
    pub demand: D,
    /// Largest allowed distance of both ends, as a share of the upper one; above 0.
    pub resolution: f64,
    /// Sizes are multiples of this.
    pub grain: u64,
    /// Smallest allowed size.
    pub smallest: u64,
    /// Largest allowed size.
    pub largest: u64,
    /// The first size to try.
    pub first: u64,
    /// Deadline of a step, in nanoseconds; if that differs between sizes, the deadline of any of
    /// them.
    pub period_ns: f64,
    /// Number of deadlines, at that period, of a short run that only shows on which side of the
    /// edge a size is.27
    /// A run to do next.
    pub quick: u64,
}

/// A run to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// Size to run.
    pub size: u64,
    /// Number of deadlines in the run.
    pub steps: u64,
    /// Purpose of the run.
    pub purpose: Purpose,
}

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To measure how long a step takes.
    Pilot,
    /// To narrow the range in which steps get too long.
    Fit,
    /// To narrow the range in which deadlines are missed.
    Narrow,
    /// To confirm an end that is only preliminary.
    Confirm,
}

/// The largest factor by which a size may exceed the largest one that fits.
const MOST_GROWTH: f64 = 8.0;
/// Fraction of the gap between the ends, as a divisor: the next size keeps at least this distance
/// from both.
const FROM_ENDS: f64 = 8.0;
/// A prediction is used only if the ends are at least this many resolutions apart.
const FAR: f64 = 4.0;
/// Edges in the order in which the search looks for them.
const EDGES: [(Criterion, Purpose); 3] = [
    (Criterion::InSteps, Purpose::Fit),
    (Criterion::ButForPlatform, Purpose::Narrow),
    (Criterion::InDeadlines, Purpose::Narrow),
];
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
    /// First comes the edge where steps themselves get too long: it is near what two pilots
    /// predict, a stall does not move it, and short runs suffice. Then, from there down, come the
    /// edges where deadlines are missed, without the platform's stalls and with them. Each edge is
    /// first narrowed, then its preliminary ends are confirmed with more runs.
    #[must_use]
    pub fn next(&self, known: &Known) -> Option<Next> {
        let pilot = self.pilot(known).map(|size| Next {
            size,
            steps: self.quick(size),
            purpose: Purpose::Pilot,
        });
        let of_edge = |(criterion, purpose)| {
            let size = self.narrowed(known, criterion);
            let narrowed =
                size.map(|size| Next { size, steps: self.steps_for(purpose, size), purpose });
            narrowed.or_else(|| self.confirmed(known, criterion))
        };
        pilot.or_else(|| EDGES.into_iter().find_map(of_edge))
    }

    fn quick(&self, size: u64) -> u64 {
        let quick = self.quick as f64 * self.demand.times_as_often(size);
        (quick.ceil() as u64).max(1)
    }

    fn steps_for(&self, purpose: Purpose, size: u64) -> u64 {
        let least = self.demand.of(size).least;
        match purpose {
            Purpose::Narrow => self.quick(size).max(least / PART_OF_DEMAND),
            _ => self.quick(size),
        }
    }

    /// Returns what a size must meet to hold under this criterion.
    fn demand_of(&self, criterion: Criterion, size: u64) -> Demand {
        criterion.demands(&self.demand).of(size)
    }

    /// Returns the runs that are still to come if all sizes that seem to hold do hold.
    #[must_use]
    pub fn left(&self, known: &Known) -> Vec<Next> {
        let mut imagined = known.clone();
        let mut left = Vec::new();
        while let Some(next) = self.next(&imagined).filter(|_| left.len() < MOST_IMAGINED) {
            let seen = self.imagined(&imagined, next);
            imagined.entry(next.size).or_default().add(seen);
            left.push(next);
        }
        left
    }

    /// Returns the number of sizes of an evenly spaced grid with the same reach and resolution.
    #[must_use]
    pub fn grid(&self, known: &Known) -> u64 {
        let largest = known.keys().last().copied().unwrap_or(self.largest);
        let distance = (largest as f64 * self.resolution).max(self.grain as f64);
        (largest as f64 / distance).ceil() as u64
    }

    /// Two sizes show how the time of a step grows: a small one, and the one that would take half a
    /// period if all step time were proportional to the masses.
    fn pilot(&self, known: &Known) -> Option<u64> {
        let mut fitting = known.iter().filter(|(_, seen)| self.fits(seen, known));
        match (fitting.next(), fitting.next()) {
            (None, _) if known.is_empty() => Some(self.first),
            (Some((size, seen)), None) if known.len() == 1 => {
                let growth = self.period_ns / 2.0 / seen.usual_ns.max(1.0);
                let size = *size as f64 * growth.min(MOST_GROWTH * MOST_GROWTH);
                Some(self.rounded(size)).filter(|size| !known.contains_key(size))
            }
            _ => None,
        }
    }

    /// Returns a size between the ends, or beyond the only end; `None` if they are close enough.
    fn narrowed(&self, known: &Known, criterion: Criterion) -> Option<u64> {
        let edge = Edge::so_far(known, criterion, &criterion.demands(&self.demand));
        match (edge.held, edge.missed) {
            (Some(held), None) => self.beyond(held, known),
            (held, Some(missed)) => self.within(held.unwrap_or(0), missed, known),
            (None, None) => None,
        }
    }

    fn beyond(&self, held: u64, known: &Known) -> Option<u64> {
        let held = held as f64;
        let next = held * (1.0 + 2.0 * self.resolution);
        let aim = self.predicted(known).unwrap_or(next) * (1.0 + self.resolution / 2.0);
        let size = self.rounded(aim.max(next).min(held * MOST_GROWTH));
        let size = size.max(held as u64 + self.grain);
        (size <= self.largest).then_some(size)
    }

    fn within(&self, held: u64, missed: u64, known: &Known) -> Option<u64> {
        let gap = missed - held;
        let near = self.resolution * missed as f64;
        if missed <= self.smallest || gap <= self.grain || held > 0 && gap as f64 <= near {
            return None;
        }
        let (low, high) = (held as f64, missed as f64);
        let predicted = self.predicted(known);
        let aim = predicted.filter(|at| gap as f64 > FAR * near && (low..high).contains(at));
        // First one side of the prediction, then the other: the rest is between them.
        let aim = aim.map_or(f64::midpoint(low, high), |at| {
            let below = at * (1.0 - self.resolution / 2.0);
            if below > low + near / 2.0 { below } else { at * (1.0 + self.resolution / 2.0) }
        });
        let margin = gap as f64 / FROM_ENDS;
        let size = self.rounded(aim.clamp(low + margin, high - margin));
        let least = (held + self.grain).max(self.smallest);
        Some(size.clamp(least, (missed - self.grain).max(least)))
    }

    /// Returns another run of an end that is not shown yet, the lower end first.
    fn confirmed(&self, known: &Known, criterion: Criterion) -> Option<Next> {
        let edge = Edge::so_far(known, criterion, &criterion.demands(&self.demand));
        let ends = [edge.held, edge.missed].into_iter().flatten();
        ends.filter_map(|size| Some((size, criterion.of(known.get(&size)?)))).find_map(
            |(size, tries)| {
                Some(Next {
                    size,
                    steps: self.more(criterion, size, tries, known.len())?,
                    purpose: Purpose::Confirm,
                })
            },
        )
    }

    /// Returns the number of deadlines for another run of a size that is one of `among` and has
    /// these `tries`. Returns `None` if the size is shown to hold or not to hold, or is given up.
    ///
    /// If no miss is allowed, the missing deadlines are divided over several runs: many short runs
    /// show run-to-run variation better than few long ones. If some misses are allowed, each run is
    /// as long as all before it together: the miss rate is judged after every run, and the more
    /// often it is judged, the more often the judgement is wrong. Short runs follow if there were
    /// too few runs.
    #[must_use]
    pub fn more(&self, criterion: Criterion, size: u64, tries: Tries, among: usize) -> Option<u64> {
        let demand = self.demand_of(criterion, size);
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

    /// Returns the result of a run if steps take as long as predicted and nothing disturbs them.
    fn imagined(&self, known: &Known, next: Next) -> Seen {
        let ends_at = self.predicted(known).unwrap_or(next.size as f64);
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
