//! What was tried of each size, and whether that means that it holds.

use std::collections::BTreeMap;

use crate::Tries;
use crate::binomial::clean_periods_among;

/// What is known of one size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Seen {
    /// Its deadlines.
    pub deadlines: Tries,
    /// The same, without those missed that would have been met but for the platform, which
    /// stood still meanwhile; where no causes were looked for, as `deadlines`.
    pub own: Tries,
    /// Its steps: those that were made, and those of them that overran. However many
    /// deadlines a stall takes, it is one step.
    pub steps: Tries,
    /// Time from its due time within which half of its steps ended, in nanoseconds, times how much
    /// more often they are due than in the search's period: stalls, however long, do not move
    /// it while they are few.
    pub usual_ns: f64,
}

/// Everything that is known, by size.
pub type Known = BTreeMap<u64, Seen>;

/// What it takes to hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// Share of deadlines that may be missed, 0 to 1.
    pub most: f64,
    /// Deadlines that must have been tried.
    pub least: u64,
    /// Share of runs that may break it, 0 to 1: so many were tried that one of more would have
    /// shown among them.
    pub bad_runs: f64,
}

/// What it takes each size to hold.
pub trait Demands {
    /// What it takes this one.
    fn of(&self, size: u64) -> Demand;

    /// How many times as often as those of the search's period its deadlines are due.
    fn times_as_often(&self, _size: u64) -> f64 {
        1.0
    }
}

/// It takes the same of all sizes.
impl Demands for Demand {
    fn of(&self, _size: u64) -> Demand {
        *self
    }
}

/// Of a size that is shown to hold fewer than 1 in 10 runs miss more than may be.
pub const BAD_RUNS: f64 = 0.1;

/// Where a size stands, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Shown to hold.
    Held,
    /// No more missed than may be, but tried for too short to show it.
    SeemsHeld,
    /// More missed than may be, in so few that chance could have done it.
    SeemsMissed,
    /// Shown not to hold.
    Missed,
}

impl Standing {
    /// Whether it is counted among the sizes that hold, so far.
    #[must_use]
    pub fn is_good(self) -> bool {
        self <= Self::SeemsHeld
    }
}

impl Demand {
    /// What it takes for steps to fit into their period: no more of them overrun than do
    /// not. However much of the time stalls take, that is as many only where a step usually
    /// takes longer than a period.
    pub const FITS: Self = Self { most: 0.5, least: 1, bad_runs: 1.0 };

    /// What it takes to have no miss so far.
    pub const NO_MISS: Self = Self { most: 0.0, least: 1, bad_runs: 1.0 };

    /// Where a size stands that is one of `among`; bounds of all of them hold together.
    ///
    /// One miss shows that a size does not hold where none may be; that it does is shown
    /// where enough deadlines were tried in enough runs, and where the bound of the rate
    /// of misses is within the limit, if the limit is above 0. Runs are enough where, if as many
    /// as may were bad ones, one of these would have been among them: two clean runs say
    /// nothing of a machine on which 1 run in 10 is bad.
    #[must_use]
    pub fn standing(self, tries: Tries, among: usize) -> Standing {
        if self.most == 0.0 && tries.missed > 0 {
            return Standing::Missed;
        }
        let Some(claim) = tries.rate(among.max(1)) else {
            return Standing::SeemsHeld;
        };
        if claim.rate <= self.most {
            let is_within = self.most == 0.0 || claim.upper <= self.most;
            let is_repeated = tries.due >= self.least && tries.runs >= self.enough_runs(among);
            return match is_within && is_repeated {
                true => Standing::Held,
                false => Standing::SeemsHeld,
            };
        }
        match claim.lower > self.most {
            true => Standing::Missed,
            false => Standing::SeemsMissed,
        }
    }

    /// Runs that show a size to hold, if none of them is a bad one.
    #[must_use]
    pub fn enough_runs(self, among: usize) -> u64 {
        clean(self.bad_runs, among)
    }

    /// Deadlines that show a size to hold, if all of them are met.
    #[must_use]
    pub fn enough(self, among: usize) -> u64 {
        self.least.max(clean(self.most, among))
    }
}

impl Seen {
    /// Adds another run, which tells how long steps take from now on.
    pub fn add(&mut self, more: Self) {
        self.deadlines.add(more.deadlines);
        self.own.add(more.own);
        self.steps.add(more.steps);
        self.usual_ns = more.usual_ns;
    }
}

/// How many that are clean show that the share of others is below this one; a single one where
/// there is nothing to show.
fn clean(share: f64, among: usize) -> u64 {
    match share > 0.0 && share < 1.0 {
        true => clean_periods_among(among.max(1), share),
        false => 1,
    }
}
