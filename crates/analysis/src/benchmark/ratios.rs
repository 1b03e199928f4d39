//! The ratios that tell solvers, sizes and ceilings apart at a glance.

use serde::Serialize;

use super::solvers::Entry;
use crate::words;

/// A ratio of two rates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratio {
    /// The ratio in words.
    pub what: &'static str,
    /// Whether it is a share, to be read as percent, or else a factor.
    pub is_share: bool,
    /// What was measured; `None` where a part of it was not.
    pub measured: Option<f64>,
}

struct Definition {
    what: &'static str,
    is_share: bool,
    measured: fn(&Rates) -> Option<f64>,
}

const RATIOS: &[Definition] = &[
    Definition {
        what: "simd against semaphore, 57 000 masses, f64, all cores",
        is_share: false,
        measured: |rates| rates.on_all_cores("simd", "f64", 57_000)?.times_semaphore,
    },
    Definition {
        what: "simd against semaphore, 57 000 masses, f32, all cores",
        is_share: false,
        measured: |rates| rates.on_all_cores("simd", "f32", 57_000)?.times_semaphore,
    },
    Definition {
        what: "fused against simd, 10 000 000 masses, f64, all cores",
        is_share: false,
        measured: |rates| {
            let simd = rates.on_all_cores("simd", "f64", 10_000_000)?;
            let fused = rates.on_all_cores("fused", "f64", 10_000_000)?;
            Some(fused.rate_per_s / simd.rate_per_s)
        },
    },
    Definition {
        what: "fused at 10 000 000 masses against itself at 57 000, f64, all cores",
        is_share: false,
        measured: |rates| {
            let large = rates.on_all_cores("fused", "f64", 10_000_000)?;
            let small = rates.on_all_cores("fused", "f64", 57_000)?;
            Some(large.rate_per_s / small.rate_per_s)
        },
    },
    Definition {
        what: "simd of the arithmetic ceiling, 5900 masses, f64, one thread",
        is_share: true,
        measured: |rates| rates.entry("simd", "f64", 1, 5900)?.of_arithmetic,
    },
    Definition {
        what: "simd of the arithmetic ceiling, 57 000 masses, f64, all cores",
        is_share: true,
        measured: |rates| rates.on_all_cores("simd", "f64", 57_000)?.of_arithmetic,
    },
];

/// Every ratio of these rates.
pub(super) fn of(rates: &Rates) -> Vec<Ratio> {
    let ratio = |definition: &Definition| Ratio {
        what: definition.what,
        is_share: definition.is_share,
        measured: (definition.measured)(rates),
    };
    RATIOS.iter().map(ratio).collect()
}

/// The rates of solvers, to look up.
pub(super) struct Rates<'a> {
    pub entries: &'a [Entry],
}

impl Rates<'_> {
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

impl Ratio {
    /// What was measured, in words.
    pub fn in_words(&self) -> String {
        match (self.measured, self.is_share) {
            (None, _) => "not measured".to_owned(),
            (Some(share), true) => words::percent(share),
            (Some(factor), false) => format!("{} times", words::quantity(factor)),
        }
    }
}
