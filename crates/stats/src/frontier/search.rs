//! Which run tells most next of where the edge lies.

use super::{Criterion, Demand, Demands, Edge, Known, Seen, Standing};
use crate::Tries;

/// What is searched for, and how closely. Sizes are multiples of `grain`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search<D: Demands = Demand> {
    /// What it takes to hold.
    pub demand: D,
    /// Both ends may lie so far apart, as a share of the upper one; above 0.
    pub resolution: f64,
    /// Sizes are multiples of this.
    pub grain: u64,
    /// Smallest size there is.
    pub smallest: u64,
    /// Largest size there is.
    pub largest: u64,
    /// The first size to try.
    pub first: u64,
    /// Deadline of a step, in nanoseconds; where that differs from size to size, of any of them.
    pub period_ns: f64,
    /// Deadlines of that period in a run that only tells on which side a size lies.
    pub quick: u64,
}

/// A run to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// The size.
    pub size: u64,
    /// Deadlines in it.
    pub steps: u64,
    /// What for.
    pub purpose: Purpose,
}

/// What a run is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To learn how long a step takes.
    Pilot,
    /// To come nearer to where steps get too long.
    Fit,
    /// To come nearer to where deadlines are missed.
    Narrow,
    /// To show of an end what only seems so.
    Confirm,
}

/// No size is tried that is so many times larger than the largest that fits.
const MOST_GROWTH: f64 = 8.0;
/// An aim keeps so far from both ends, as a share of what is between them.
const FROM_ENDS: f64 = 8.0;
/// A prediction is worth aiming at where the ends lie so many resolutions apart.
const FAR: f64 = 4.0;
/// Edges in the order in which they are looked for.
const EDGES: [(Criterion, Purpose); 3] = [
    (Criterion::InSteps, Purpose::Fit),
    (Criterion::ButForPlatform, Purpose::Narrow),
    (Criterion::InDeadlines, Purpose::Narrow),
];
/// Runs that look for rare misses are at least this part of what it takes to hold: where
/// those come at any size, most sizes are ruled out at once.
const PART_OF_DEMAND: u64 = 4;
/// A size whose rate of misses is the limit itself is never shown to be on either side: it is
/// given up after so many times what shows a size without misses to hold.
const MOST_TRIED: u64 = 16;
/// Runs that are repeated for how they differ are so many times shorter than those that narrow.
const REPEATED_SHORTER: u64 = 4;
/// More runs are not foretold.
const MOST_IMAGINED: usize = 1000;

impl<D: Demands> Search<D> {
    /// The run that tells most, after those that are known; `None` where both ends of every
    /// edge are shown and near each other.
    ///
    /// First, where steps themselves get too long: that lies near what two pilots predict,
    /// a stall does not move it, and short runs tell. Then, from there down, where deadlines
    /// are missed, without the platform's stalls and with them; at last of each, that what
    /// seems so does so for longer.
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

    /// What it takes a size to hold, where the edge lies there.
    fn demand_of(&self, criterion: Criterion, size: u64) -> Demand {
        criterion.demands(&self.demand).of(size)
    }

    /// The runs that are still to come if all that seems to hold does.
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

    /// How many sizes a grid has that reaches as far, at the same distance from each other.
    #[must_use]
    pub fn grid(&self, known: &Known) -> u64 {
        let largest = known.keys().last().copied().unwrap_or(self.largest);
        let distance = (largest as f64 * self.resolution).max(self.grain as f64);
        (largest as f64 / distance).ceil() as u64
    }

    /// Two sizes tell how the time of a step grows: a small one, and the one that would take
    /// half a period if all its time were for its masses.
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

    /// A size between the ends, or beyond the only one; `None` where they are near enough.
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
        // To one side of the prediction, then to the other: what is left is between them.
        let aim = aim.map_or(f64::midpoint(low, high), |at| {
            let below = at * (1.0 - self.resolution / 2.0);
            if below > low + near / 2.0 { below } else { at * (1.0 + self.resolution / 2.0) }
        });
        let margin = gap as f64 / FROM_ENDS;
        let size = self.rounded(aim.clamp(low + margin, high - margin));
        let least = (held + self.grain).max(self.smallest);
        Some(size.clamp(least, (missed - self.grain).max(least)))
    }

    /// Another run of an end that is not shown yet, the lower one first.
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

    /// Deadlines in another run of a size that is one of `among` and was tried so; `None` where it
    /// is shown to hold or not to, and where trying on is given up.
    ///
    /// Where no miss may be, runs share what is lacking: many short ones tell more than few long
    /// ones of how runs differ. Where some may be, each is as long as all before, since the rate
    /// of misses is judged after each, and judged the more often it errs the more often; short
    /// ones follow where these were too few.
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

    /// The size whose steps take a period, by the two largest that fit; by one, if all its
    /// time were for its masses.
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

    /// What a run would say if steps take as long as predicted and nothing disturbs them.
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
