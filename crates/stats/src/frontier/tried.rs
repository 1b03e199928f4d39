//! What was tried of each size, and whether that means that it holds.

use std::collections::BTreeMap;

use crate::MissRate;
use crate::binomial::clean_periods_among;

/// What came of deadlines, over all runs of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tries {
    /// Runs.
    pub runs: u64,
    /// Deadlines that were due.
    pub due: u64,
    /// Deadlines that were missed.
    pub missed: u64,
}

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
    /// Time from its due time within which half of its steps ended, in nanoseconds: stalls,
    /// however long, do not move it while they are few.
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
    /// In so many runs or more.
    pub runs: u64,
}

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
    pub const FITS: Self = Self {
        most: 0.5,
        least: 1,
        runs: 1,
    };

    /// Where a size stands that is one of `among`; bounds of all of them hold together.
    ///
    /// One miss shows that a size does not hold where none may be; that it does is shown
    /// where enough deadlines were tried in enough runs, and where the bound of the rate
    /// of misses is within the limit, if the limit is above 0.
    #[must_use]
    pub fn standing(self, tries: Tries, among: usize) -> Standing {
        let Some(claim) = MissRate::among(among.max(1), tries.missed, tries.due) else {
            return Standing::SeemsHeld;
        };
        if claim.rate <= self.most {
            let is_within = self.most == 0.0 || claim.upper <= self.most;
            let is_repeated = tries.due >= self.least && tries.runs >= self.runs;
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

    /// Deadlines that show a size to hold, if all of them are met.
    #[must_use]
    pub fn enough(self, among: usize) -> u64 {
        let clean = match self.most > 0.0 && self.most < 1.0 {
            true => clean_periods_among(among.max(1), self.most),
            false => 1,
        };
        self.least.max(clean)
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

impl Tries {
    /// A run with so many deadlines.
    #[must_use]
    pub fn one(due: u64, missed: u64) -> Self {
        Self {
            runs: 1,
            due,
            missed,
        }
    }

    /// Adds those of other runs.
    pub fn add(&mut self, more: Self) {
        self.runs += more.runs;
        self.due += more.due;
        self.missed += more.missed;
    }
}
