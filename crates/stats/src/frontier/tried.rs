//! What was tried for each size, and whether it shows that the size holds.

use std::collections::BTreeMap;

use crate::Tries;
use crate::binomial::clean_periods_among;

/// All results of one size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Seen {
    /// Its deadlines.
    pub deadlines: Tries,
    /// Its deadlines, without those missed that would have been met if the platform had not
    /// stalled; equal to `deadlines` if no causes were recorded.
    pub own: Tries,
    /// Its steps, and how many of them overran. However many deadlines a stall takes, it is one
    /// step.
    pub steps: Tries,
    /// Time after its due time within which half of its steps ended, in nanoseconds, multiplied by
    /// how many times more often they are due than at the search's period. Stalls, however long, do
    /// not move it while they are few.
    pub usual_ns: f64,
}

/// All results, by size.
pub type Known = BTreeMap<u64, Seen>;

/// What a size must meet to hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// Share of deadlines that may be missed, 0 to 1.
    pub most: f64,
    /// Share of missed deadlines that the bound must be within, from `most` to 1: without a miss,
    /// what is shown is a share above 0.
    pub shown: f64,
    /// Number of deadlines that must have been tried.
    pub least: u64,
    /// Share of runs that may be bad, 0 to 1: enough runs are needed that a larger share would have
    /// shown.
    pub bad_runs: f64,
}

/// What each size must meet to hold.
pub trait Demands {
    /// Returns what this size must meet.
    fn of(&self, size: u64) -> Demand;

    /// Returns how many times more often its deadlines are due than at the search's period.
    fn times_as_often(&self, _size: u64) -> f64 {
        1.0
    }
}

impl<F: Fn(u64) -> Demand> Demands for F {
    fn of(&self, size: u64) -> Demand {
        self(size)
    }
}

/// The same demand for all sizes.
impl Demands for Demand {
    fn of(&self, _size: u64) -> Demand {
        *self
    }
}

/// For a size that is shown to hold, fewer than 1 in 10 runs miss more than is allowed.
pub const BAD_RUNS: f64 = 0.1;

/// The standing of a size, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Shown to hold.
    Held,
    /// No more missed than is allowed, but not tried long enough to show it.
    SeemsHeld,
    /// More missed than is allowed, but so few that this may be chance.
    SeemsMissed,
    /// Shown not to hold.
    Missed,
}

impl Standing {
    /// Returns true if the size counts, so far, among those that hold.
    pub fn is_good(self) -> bool {
        self <= Self::SeemsHeld
    }
}

/// Returns how many claims that share the 5 % the sizes of a search count as.
///
/// A search ends at the first size that is shown to hold, so each size is judged among those that
/// were tried until then. The n-th size gets 1/32 of the 5 % up to 16 sizes and 8/n² beyond: all of
/// them together, however many, get at most 16/32 + 8/16. Equal shares of those tried so far would
/// add up to more with every size. A size without others gets all.
pub fn claims(sizes: usize) -> usize {
    match sizes {
        0 | 1 => 1,
        2..=16 => 32,
        more => more.saturating_mul(more).div_ceil(8),
    }
}

impl Demand {
    /// The demand that steps fit into their period: at most half of them overrun. However much time
    /// stalls take, more than half overrun only if a typical step takes longer than a period.
    pub const FITS: Self = Self { most: 0.5, shown: 0.5, least: 1, bad_runs: 1.0 };

    /// The demand that there is no miss so far.
    pub const NO_MISS: Self = Self { most: 0.0, shown: 1.0, least: 1, bad_runs: 1.0 };

    /// Returns the standing of a size that is one of `among`; the bounds of all of them hold
    /// together ([`claims`]).
    ///
    /// If no miss is allowed, one miss shows that a size does not hold. A size is shown to hold if
    /// enough deadlines were tried in enough runs, and the bound of the miss rate is within what has
    /// to be shown. The number of runs is enough if, with the largest allowed
    /// share of bad runs, a bad run would have been among them: two clean runs say nothing about a
    /// machine where 1 run in 10 is bad.
    pub fn standing(self, tries: Tries, among: usize) -> Standing {
        if self.most == 0.0 && tries.missed > 0 {
            return Standing::Missed;
        }
        let Some(claim) = tries.rate(claims(among)) else {
            return Standing::SeemsHeld;
        };
        if claim.rate <= self.most {
            let is_within = claim.upper <= self.shown;
            let is_repeated = tries.due >= self.least && tries.runs >= self.enough_runs(among);
            return if is_within && is_repeated { Standing::Held } else { Standing::SeemsHeld };
        }
        if claim.lower > self.most { Standing::Missed } else { Standing::SeemsMissed }
    }

    /// Returns the number of runs that show one of `among` sizes to hold, if none of them is bad.
    pub fn enough_runs(self, among: usize) -> u64 {
        clean(self.bad_runs, among)
    }

    /// Returns the number of deadlines that show one of `among` sizes to hold, if all of them are
    /// met.
    pub fn enough(self, among: usize) -> u64 {
        self.least.max(clean(self.shown, among))
    }
}

impl Seen {
    /// Adds another run; its step time replaces the previous one.
    pub fn add(&mut self, more: Self) {
        self.deadlines.add(more.deadlines);
        self.own.add(more.own);
        self.steps.add(more.steps);
        self.usual_ns = more.usual_ns;
    }
}

/// Returns how many clean ones show that the share of others is below `share`; 1 if there is
/// nothing to show.
fn clean(share: f64, among: usize) -> u64 {
    if share > 0.0 && share < 1.0 { clean_periods_among(claims(among), share) } else { 1 }
}
