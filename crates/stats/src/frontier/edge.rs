//! Where the sizes that hold end.

use std::collections::BTreeMap;

use super::{Demand, Demands, Known, Seen, Standing};
use crate::Tries;

/// The sizes on both sides of the edge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edge {
    /// Largest size that holds, and no smaller one was missed.
    pub held: Option<u64>,
    /// Smallest size that does not.
    pub missed: Option<u64>,
    /// Larger sizes that held nevertheless.
    pub held_above: Vec<u64>,
}

/// Of which count the edge is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// Where too many deadlines are missed, whatever the reason.
    InDeadlines,
    /// Where too many are missed that would be missed on a platform that never stands still.
    ButForPlatform,
    /// Where steps usually take longer than a period ([`Demand::FITS`]).
    InSteps,
}

impl Criterion {
    /// The count of a size.
    #[must_use]
    pub fn of(self, seen: &Seen) -> Tries {
        match self {
            Self::InDeadlines => seen.deadlines,
            Self::ButForPlatform => seen.own,
            Self::InSteps => seen.steps,
        }
    }

    /// What it takes sizes to hold, where deadlines demand that.
    pub fn demands<D: Demands>(self, of_deadlines: &D) -> impl Demands + use<'_, D> {
        struct Asked<'d, D>(Criterion, &'d D);

        impl<D: Demands> Demands for Asked<'_, D> {
            fn of(&self, size: u64) -> Demand {
                match self.0 {
                    Criterion::InDeadlines | Criterion::ButForPlatform => self.1.of(size),
                    Criterion::InSteps => Demand::FITS,
                }
            }
        }

        Asked(self, of_deadlines)
    }
}

/// Where each of several sizes stands.
pub type Standings = BTreeMap<u64, Standing>;

impl Edge {
    /// As far as it can be told: what seems to hold holds.
    #[must_use]
    pub fn so_far(known: &Known, criterion: Criterion, demands: &impl Demands) -> Self {
        Self::as_it_seems(&standings(known, criterion, demands))
    }

    /// What is shown: sizes that only seem to hold or to miss lie between both ends.
    #[must_use]
    pub fn shown(known: &Known, criterion: Criterion, demands: &impl Demands) -> Self {
        Self::as_shown(&standings(known, criterion, demands))
    }

    /// As far as standings tell it.
    #[must_use]
    pub fn as_it_seems(standings: &Standings) -> Self {
        Self::between(standings, Standing::SeemsHeld, Standing::SeemsMissed)
    }

    /// What standings show.
    #[must_use]
    pub fn as_shown(standings: &Standings) -> Self {
        Self::between(standings, Standing::Held, Standing::Missed)
    }

    /// The ends where sizes stand so well, or so badly; above one that seems to miss
    /// nothing holds.
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

fn standings(known: &Known, criterion: Criterion, demands: &impl Demands) -> Standings {
    let standing = |size: u64, seen: &Seen| {
        let demand = demands.of(size);
        demand.standing(criterion.of(seen), known.len())
    };
    let sizes = known.iter();
    sizes.map(|(size, seen)| (*size, standing(*size, seen))).collect()
}
