//! The largest size that holds, for each number of threads: with what shows it, and with
//! what the platform alone spoilt.

use std::collections::BTreeMap;

use plan::RunSpec;
use stats::frontier::{Demand, Edge, Known, Lies};
use units::Nanos;

use super::sizes::{self, Size};
use crate::capacity;
use crate::standards::{Limits, Standards, Strictness};
use crate::survey::System;

/// The frontier at one rate under one set of conditions.
pub struct Frontier<'s, 'a> {
    /// The machine.
    pub system: &'s System<'a>,
    /// The specification of one of the runs.
    pub spec: &'a RunSpec,
    /// One for each number of threads, rising.
    pub lines: Vec<Line>,
    /// How strictly deadlines must be met, and by which limits.
    pub strictness: Strictness,
    /// What is firm and what is soft.
    pub limits: Limits,
}

/// The frontier on one number of threads.
pub struct Line {
    /// The number of threads.
    pub threads: u64,
    /// What came of each size.
    pub sizes: BTreeMap<u64, Size>,
    known: Known,
}

/// Both ends of where the frontier lies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ends {
    /// Largest size that holds, and no smaller one was missed.
    pub held: Option<End>,
    /// Smallest size that does not.
    pub missed: Option<End>,
    /// Larger sizes that held nevertheless; they do not count.
    pub held_above: Vec<u64>,
}

/// One end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The size.
    pub masses: u64,
    /// Whether its runs show it; else it only seems so.
    pub shown: bool,
}

/// The frontiers of machines, where several sizes tell of one.
pub fn of<'s, 'a>(systems: &'s [System<'a>], standards: &Standards) -> Vec<Frontier<'s, 'a>> {
    let of_system = |system| {
        let grids = capacity::grids(system).into_iter();
        grids.map(move |grid| Frontier {
            system,
            spec: grid.spec,
            lines: grid
                .cells
                .keys()
                .map(|threads| Line::of(system, grid.spec, *threads))
                .collect(),
            strictness: standards.strictness,
            limits: standards.limits,
        })
    };
    systems.iter().flat_map(of_system).collect()
}

impl Frontier<'_, '_> {
    /// The deadline of a step.
    pub fn period(&self) -> Nanos {
        self.spec.parameters.time("rate")
    }

    /// What it takes to hold.
    pub fn demand(&self, lies: Lies) -> Demand {
        match lies {
            Lies::InSteps => Demand::FITS,
            Lies::InDeadlines | Lies::ButForPlatform => {
                self.limits.demand(self.strictness, self.period())
            }
        }
    }

    /// Where the frontier lies on a number of threads.
    pub fn ends(&self, line: &Line, lies: Lies) -> Ends {
        line.ends(lies, self.demand(lies))
    }

    /// The number of threads that holds most, with what it holds.
    pub fn best(&self) -> Option<(&Line, End)> {
        let held = |line| Some((line, self.ends(line, Lies::InDeadlines).held?));
        let best = self.lines.iter().rev().filter_map(held);
        best.max_by_key(|(_, held)| held.masses)
    }

    /// Whether several sizes tell of it; one alone is no frontier.
    pub fn is_searched(&self) -> bool {
        self.lines.iter().any(|line| line.sizes.len() > 1)
    }
}

impl Line {
    fn of(system: &System, spec: &RunSpec, threads: u64) -> Self {
        let sizes = sizes::sizes(system, spec, threads);
        let known = sizes.iter().map(|(size, what)| (*size, what.seen()));
        Self {
            threads,
            known: known.collect(),
            sizes,
        }
    }

    /// Sizes that are tried; bounds of all of them hold together.
    pub fn claims(&self) -> usize {
        self.known.len()
    }

    /// The largest size without a miss, below the first that missed.
    pub fn largest_clean(&self) -> Option<u64> {
        let sizes = self.sizes.iter();
        let clean = sizes.take_while(|(_, size)| size.deadlines.missed == 0);
        clean.last().map(|(masses, _)| *masses)
    }

    fn ends(&self, lies: Lies, demand: Demand) -> Ends {
        let shown = Edge::shown(&self.known, lies, demand);
        let so_far = Edge::so_far(&self.known, lies, demand);
        let end = |shown: Option<u64>, so_far: Option<u64>| {
            let end = |masses, shown| End { masses, shown };
            let shown = shown.map(|masses| end(masses, true));
            shown.or(so_far.map(|masses| end(masses, false)))
        };
        Ends {
            held: end(shown.held, so_far.held),
            missed: end(shown.missed, so_far.missed),
            held_above: shown.held_above,
        }
    }
}
