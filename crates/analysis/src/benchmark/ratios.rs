//! The ratios that tell solvers, sizes and ceilings apart at a glance.

use serde::Serialize;

use super::entry::Entry;
use crate::words;

/// A ratio of two rates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratio {
    /// The ratio in words.
    pub what: &'static str,
    /// The instruction set of the vectors; none where a run did not tell.
    pub instructions: Option<String>,
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

/// Every ratio of these rates, for each instruction set that vectors were measured with, the
/// fastest first.
pub(super) fn of(entries: &[Entry]) -> Vec<Ratio> {
    let of_set = |instructions: &Option<String>| {
        let own = |entry: &&Entry| entry.instructions == *instructions || !entry.has_vectors();
        let entries: Vec<&Entry> = entries.iter().filter(own).collect();
        let rates = Rates { entries };
        let ratio = |definition: &Definition| Ratio {
            what: definition.what,
            instructions: instructions.clone(),
            is_share: definition.is_share,
            measured: (definition.measured)(&rates),
        };
        RATIOS.iter().map(ratio).collect::<Vec<_>>()
    };
    let ratios: Vec<Ratio> = sets(entries).iter().flat_map(of_set).collect();
    match ratios.is_empty() {
        true => of_set(&None),
        false => ratios,
    }
}

/// The instruction sets of solvers with vectors, that of the highest rate first.
fn sets(entries: &[Entry]) -> Vec<Option<String>> {
    let mut own: Vec<&Entry> = entries.iter().filter(|entry| entry.has_vectors()).collect();
    own.sort_by(|one, other| other.rate_per_s.total_cmp(&one.rate_per_s));
    let mut sets: Vec<Option<String>> = Vec::new();
    for entry in own {
        if !sets.contains(&entry.instructions) {
            sets.push(entry.instructions.clone());
        }
    }
    sets
}

/// The rates of solvers with one instruction set, to look up.
struct Rates<'a> {
    entries: Vec<&'a Entry>,
}

impl Rates<'_> {
    fn entry(&self, solver: &str, precision: &str, threads: u64, masses: u64) -> Option<&Entry> {
        let found = self.entries.iter().find(|entry| {
            entry.solver == solver
                && entry.precision == precision
                && entry.threads == threads
                && entry.masses == masses
        });
        found.copied()
    }

    fn on_all_cores(&self, solver: &str, precision: &str, masses: u64) -> Option<&Entry> {
        let threads = self.entries.iter().map(|entry| entry.threads).max()?;
        self.entry(solver, precision, threads, masses)
    }
}

/// How many times the rate of the semaphore solver it is, on the same size in the same
/// precision on as many threads.
pub(super) fn times_semaphore(entry: &Entry, entries: &[Entry]) -> Option<f64> {
    let same = |other: &&Entry| {
        other.solver == "semaphore"
            && other.precision == entry.precision
            && other.threads == entry.threads
            && other.masses == entry.masses
    };
    let semaphore = entries.iter().find(same)?;
    Some(entry.rate_per_s / semaphore.rate_per_s)
}

impl Ratio {
    /// The ratio with the instruction set, in words.
    pub fn title(&self) -> String {
        match &self.instructions {
            Some(set) => format!("{} ({set})", self.what),
            None => self.what.to_owned(),
        }
    }

    /// What was measured, in words.
    pub fn in_words(&self) -> String {
        match (self.measured, self.is_share) {
            (None, _) => "not measured".to_owned(),
            (Some(share), true) => words::percent(share),
            (Some(factor), false) => format!("{} times", words::quantity(factor)),
        }
    }
}
