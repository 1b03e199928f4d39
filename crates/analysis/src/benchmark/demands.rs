//! The ratios that are asked for.

use plan::Machine;
use serde::Serialize;

use super::solvers::Entry;
use crate::words;

/// A ratio that was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The ratio in words.
    pub what: &'static str,
    /// The least that is asked.
    pub asked: f64,
    /// Whether both are shares, to be read as percent, or else factors.
    pub is_share: bool,
    /// What was measured; `None` where a part of it was not.
    pub measured: Option<f64>,
    /// Whether it is asked of a machine like this one.
    pub is_asked_here: bool,
}

struct Demand {
    what: &'static str,
    least: f64,
    is_share: bool,
    of: fn(&Ratios) -> Option<f64>,
}

const DEMANDS: &[Demand] = &[
    Demand {
        what: "simd against semaphore, 57 000 masses, f64, all cores",
        least: 50.0,
        is_share: false,
        of: |ratios| ratios.on_all_cores("simd", "f64", 57_000)?.times_semaphore,
    },
    Demand {
        what: "simd against semaphore, 57 000 masses, f32, all cores",
        least: 120.0,
        is_share: false,
        of: |ratios| ratios.on_all_cores("simd", "f32", 57_000)?.times_semaphore,
    },
    Demand {
        what: "fused against simd, 10 000 000 masses, f64, all cores",
        least: 3.0,
        is_share: false,
        of: |ratios| {
            let simd = ratios.on_all_cores("simd", "f64", 10_000_000)?;
            let fused = ratios.on_all_cores("fused", "f64", 10_000_000)?;
            Some(fused.rate_per_s / simd.rate_per_s)
        },
    },
    Demand {
        what: "fused at 10 000 000 masses against itself at 57 000, f64, all cores",
        least: 0.9,
        is_share: false,
        of: |ratios| {
            let large = ratios.on_all_cores("fused", "f64", 10_000_000)?;
            let small = ratios.on_all_cores("fused", "f64", 57_000)?;
            Some(large.rate_per_s / small.rate_per_s)
        },
    },
    Demand {
        what: "simd of the arithmetic ceiling, 5900 masses, f64, one thread",
        least: 0.75,
        is_share: true,
        of: |ratios| ratios.entry("simd", "f64", 1, 5900)?.of_arithmetic,
    },
    Demand {
        what: "simd of the arithmetic ceiling, 57 000 masses, f64, all cores",
        least: 0.6,
        is_share: true,
        of: |ratios| ratios.on_all_cores("simd", "f64", 57_000)?.of_arithmetic,
    },
];

/// The machines that the demands were made for: two cores with AVX-512.
fn is_asked_of(machine: &Machine) -> bool {
    machine.cores == 2 && machine.instruction_sets.iter().any(|set| set == "avx512f")
}

/// What is asked of a machine, and what it did.
pub(super) fn answers(machine: &Machine, ratios: &Ratios) -> Vec<Answer> {
    let answer = |demand: &Demand| Answer {
        what: demand.what,
        asked: demand.least,
        is_share: demand.is_share,
        measured: (demand.of)(ratios),
        is_asked_here: is_asked_of(machine),
    };
    DEMANDS.iter().map(answer).collect()
}

/// Entries to look up.
pub(super) struct Ratios<'a> {
    pub entries: &'a [Entry],
}

impl Ratios<'_> {
    fn entry(&self, solver: &str, precision: &str, threads: u64, masses: u64) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            entry.solver == solver
                && entry.precision == precision
                && entry.threads == threads
                && entry.masses == masses
        })
    }

    fn on_all_cores(&self, solver: &str, precision: &str, masses: u64) -> Option<&Entry> {
        let threads = self.entries.iter().map(|entry| entry.threads).max()?;
        self.entry(solver, precision, threads, masses)
    }

    pub fn times_semaphore(&self, entry: &Entry) -> Option<f64> {
        let (precision, threads, masses) = (&entry.precision, entry.threads, entry.masses);
        let semaphore = self.entry("semaphore", precision, threads, masses)?;
        Some(entry.rate_per_s / semaphore.rate_per_s)
    }
}

impl Answer {
    /// What is asked and what was measured, in words.
    pub fn in_words(&self) -> [String; 2] {
        let figure = |number: f64| match self.is_share {
            true => words::percent(number),
            false => format!("{} times", words::quantity(number)),
        };
        let measured = self
            .measured
            .map_or_else(|| "not measured".to_owned(), figure);
        [figure(self.asked), measured]
    }

    /// `met`, `too little`, or nothing.
    pub fn verdict(&self) -> &'static str {
        match self.is_met() {
            Some(true) => "met",
            Some(false) => "too little",
            None => "",
        }
    }

    /// Whether it is as asked; `None` where it is not asked here, or was not measured.
    pub fn is_met(&self) -> Option<bool> {
        let measured = self.measured.filter(|_| self.is_asked_here)?;
        Some(measured >= self.asked)
    }
}
