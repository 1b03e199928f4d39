//! The sizes that were tried on one number of threads, and the largest that holds.

use std::collections::BTreeMap;

use record::RunSpec;
use serde::Serialize;
use stats::frontier::{Criterion, Demand, Demands, Edge, Standings};

use super::Size;
use crate::held::Held;

#[derive(Debug)]
pub struct Line<'a> {
    pub threads: u64,
    /// Of its first run.
    pub(super) spec: &'a RunSpec,
    pub sizes: BTreeMap<u64, Size<'a>>,
}

/// The edge of the sizes that hold, at both levels of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    pub shown: Edge,
    /// What is likely, but not shown yet.
    pub so_far: Edge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct End {
    pub size: u64,
    /// Whether its runs show it; otherwise it is only likely.
    pub shown: bool,
}

impl Line<'_> {
    pub fn largest(&self) -> Option<u64> {
        self.sizes.keys().next_back().copied()
    }

    /// Number of sizes tried; the bounds of all of them hold together.
    pub fn tried(&self) -> usize {
        self.sizes.len()
    }

    pub fn held(&self, size: &Size, criterion: Criterion, demand: Demand) -> Held {
        Held::of(size.tries(criterion), demand, self.tried())
    }

    pub fn ends(&self, criterion: Criterion, demands: &impl Demands) -> Ends {
        let standing = |count, size| self.held(size, criterion, demands.of(count)).standing;
        let sizes = self.sizes.iter();
        let standings: Standings =
            sizes.map(|(count, size)| (*count, standing(*count, size))).collect();
        Ends { shown: Edge::shown(&standings), so_far: Edge::so_far(&standings) }
    }

    /// Returns the largest size without a miss below the smallest with one, and the latter.
    pub fn first_miss(&self) -> Edge {
        self.ends(Criterion::InDeadlines, &Demand::NO_MISS).so_far
    }
}

impl Ends {
    /// Returns the largest size shown to hold, else the largest that is likely to.
    pub fn held(&self) -> Option<End> {
        End::of(self.shown.held, self.so_far.held)
    }

    /// Returns the smallest size shown not to hold, else the smallest that is likely not to.
    pub fn missed(&self) -> Option<End> {
        End::of(self.shown.missed, self.so_far.missed)
    }
}

impl End {
    fn of(shown: Option<u64>, so_far: Option<u64>) -> Option<Self> {
        let end = |size, shown| Self { size, shown };
        shown.map(|size| end(size, true)).or_else(|| Some(end(so_far?, false)))
    }
}
