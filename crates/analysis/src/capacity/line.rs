//! The sizes that were tried on one number of threads, and where those end that hold.

use std::collections::BTreeMap;

use stats::frontier::{Criterion, Demand, Demands, Edge, Standings};

use super::Size;
use crate::held::Held;

/// The sizes on one number of threads.
#[derive(Debug)]
pub struct Line<'a> {
    /// The number of threads.
    pub threads: u64,
    /// What came of each size.
    pub sizes: BTreeMap<u64, Size<'a>>,
}

/// Both ends of where the sizes end that hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// What is shown.
    pub shown: Edge,
    /// What seems so.
    pub so_far: Edge,
}

/// One end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The size.
    pub size: u64,
    /// Whether its runs show it; else it only seems so.
    pub shown: bool,
}

impl Line<'_> {
    /// How many sizes were tried; bounds of all of them hold together.
    #[must_use]
    pub fn claims(&self) -> usize {
        self.sizes.len()
    }

    /// What a size holds that was tried.
    #[must_use]
    pub fn held(&self, size: &Size, criterion: Criterion, demand: Demand) -> Held {
        Held::of(size.tries(criterion), demand, self.claims())
    }

    /// Where the sizes end that hold.
    #[must_use]
    pub fn ends(&self, criterion: Criterion, demands: &impl Demands) -> Ends {
        let standing = |count, size| self.held(size, criterion, demands.of(count)).standing;
        let sizes = self.sizes.iter();
        let standings: Standings =
            sizes.map(|(count, size)| (*count, standing(*count, size))).collect();
        Ends { shown: Edge::as_shown(&standings), so_far: Edge::as_it_seems(&standings) }
    }

    /// The largest size without a miss below the smallest with one, and this.
    #[must_use]
    pub fn first_miss(&self) -> Edge {
        self.ends(Criterion::InDeadlines, &Demand::NO_MISS).so_far
    }
}

impl Ends {
    /// The largest size that is shown to hold; without one, the largest that seems to. No
    /// smaller one seems to miss.
    #[must_use]
    pub fn held(&self) -> Option<End> {
        End::of(self.shown.held, self.so_far.held)
    }

    /// The smallest size that is shown not to hold; without one, the smallest that seems not to.
    #[must_use]
    pub fn missed(&self) -> Option<End> {
        End::of(self.shown.missed, self.so_far.missed)
    }
}

impl End {
    fn of(shown: Option<u64>, so_far: Option<u64>) -> Option<Self> {
        let end = |size, shown| Self { size, shown };
        let shown = shown.map(|size| end(size, true));
        shown.or_else(|| Some(end(so_far?, false)))
    }
}
