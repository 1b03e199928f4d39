//! Where the sizes that hold end.

use super::{Demand, Known, Seen, Standing};
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
pub enum Lies {
    /// Where too many deadlines are missed, whatever the reason.
    InDeadlines,
    /// Where too many are missed that would be missed on a platform that never stands still.
    ButForPlatform,
    /// Where steps usually take longer than a period ([`Demand::FITS`]).
    InSteps,
}

impl Lies {
    /// The count of a size.
    #[must_use]
    pub fn of(self, seen: &Seen) -> Tries {
        match self {
            Self::InDeadlines => seen.deadlines,
            Self::ButForPlatform => seen.own,
            Self::InSteps => seen.steps,
        }
    }
}

impl Edge {
    /// As far as it can be told: what seems to hold holds.
    #[must_use]
    pub fn so_far(known: &Known, lies: Lies, demand: Demand) -> Self {
        Self::between(
            known,
            lies,
            demand,
            Standing::SeemsHeld,
            Standing::SeemsMissed,
        )
    }

    /// What is shown: sizes that only seem to hold or to miss lie between both ends.
    #[must_use]
    pub fn shown(known: &Known, lies: Lies, demand: Demand) -> Self {
        Self::between(known, lies, demand, Standing::Held, Standing::Missed)
    }

    /// The ends where sizes stand so well, or so badly; above one that seems to miss
    /// nothing holds.
    fn between(known: &Known, lies: Lies, demand: Demand, good: Standing, bad: Standing) -> Self {
        let standing = |seen: &Seen| demand.standing(lies.of(seen), known.len());
        let sizes = || known.iter().map(|(size, seen)| (*size, standing(seen)));
        let first = |worst| sizes().find(|(_, s)| *s >= worst).map(|(size, _)| size);
        let doubtful = first(Standing::SeemsMissed);
        let is_above = |size| doubtful.is_some_and(|doubtful| size > doubtful);
        let good = || sizes().filter(|(_, s)| *s <= good).map(|(size, _)| size);
        Self {
            held: good().rfind(|size| !is_above(*size)),
            missed: first(bad),
            held_above: good().filter(|size| is_above(*size)).collect(),
        }
    }
}
