//! The edge between sizes that hold and sizes that do not.

use std::collections::BTreeMap;

use super::{Demand, Demands, Known, Seen, Standing};
use crate::Tries;

/// The sizes on both sides of the edge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edge {
    /// Largest size that holds, if no smaller one was missed.
    pub held: Option<u64>,
    /// Smallest size that does not hold.
    pub missed: Option<u64>,
    /// Larger sizes that held nevertheless.
    pub held_above: Vec<u64>,
}

/// Which count decides the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// Too many deadlines are missed, whatever the reason.
    InDeadlines,
    /// Too many deadlines are missed that would also be missed on a platform that never stalls.
    ButForPlatform,
    /// Typical steps take longer than a period ([`Demand::FITS`]).
    InSteps,
}

impl Criterion {
    /// Returns the count that this criterion uses.
    pub fn of(self, seen: &Seen) -> Tries {
        match self {
            Self::InDeadlines => seen.deadlines,
            Self::ButForPlatform => seen.own,
            Self::InSteps => seen.steps,
        }
    }

    /// Returns what sizes must meet under this criterion, given the demands on deadlines.
    pub fn demands<D: Demands>(self, of_deadlines: &D) -> impl Demands + use<'_, D> {
        move |size| match self {
            Self::InDeadlines | Self::ButForPlatform => of_deadlines.of(size),
            Self::InSteps => Demand::FITS,
        }
    }
}

/// The standing of each of several sizes.
pub type Standings = BTreeMap<u64, Standing>;

impl Edge {
    /// Returns the largest size that holds, even if a smaller one does not.
    pub fn last(&self) -> Option<u64> {
        self.held_above.last().copied().or(self.held)
    }

    /// Computes the preliminary edge: sizes that seem to hold count as holding.
    pub fn so_far(standings: &Standings) -> Self {
        Self::between(standings, Standing::SeemsHeld, Standing::SeemsMissed)
    }

    /// Computes the shown edge: sizes that only seem to hold or to miss are between both ends.
    pub fn shown(standings: &Standings) -> Self {
        Self::between(standings, Standing::Held, Standing::Missed)
    }

    /// Returns the ends given the worst standing that counts as good and the best that counts as
    /// bad. No size above one that seems to miss counts as held.
    fn between(standings: &Standings, good: Standing, bad: Standing) -> Self {
        let first = |worst| standings.iter().find(|(_, s)| **s >= worst);
        let doubtful = first(Standing::SeemsMissed);
        let is_above = |size: &u64| doubtful.is_some_and(|(doubtful, _)| size > doubtful);
        let good = standings.iter().filter(|(_, s)| **s <= good);
        let (above, below): (Vec<u64>, Vec<u64>) =
            good.map(|(size, _)| size).partition(|s| is_above(s));
        Self {
            held: below.last().copied(),
            missed: first(bad).map(|(size, _)| *size),
            held_above: above,
        }
    }
}

/// Returns the standing of each known size; the bounds of all of them hold together.
pub fn standings(known: &Known, criterion: Criterion, demands: &impl Demands) -> Standings {
    let standing = |size: u64, seen: &Seen| {
        let demand = demands.of(size);
        demand.standing(criterion.of(seen), known.len())
    };
    let sizes = known.iter();
    sizes.map(|(size, seen)| (*size, standing(*size, seen))).collect()
}
