//! The ratios of solvers, sizes and ceilings that matter most.

use serde::Serialize;

use super::entry::Entry;
use crate::lists::each_once;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ratio {
    #[serde(flatten)]
    pub compared: Pair,
    /// Instruction set of the vectors; null if it was not recorded.
    pub instructions: Option<String>,
    /// Share of the ceiling if `with` is `arithmetic_ceiling`, else the ratio of the two rates;
    /// null if one of its parts was not measured.
    pub measured: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pair {
    /// Name of the solver.
    pub solver: &'static str,
    /// Floating-point precision: `f64` or `f32`.
    pub precision: &'static str,
    /// Number of masses in the ring.
    pub masses: u64,
    /// Whether the solver ran on one thread; otherwise it ran on all cores.
    pub is_one_thread: bool,
    /// What the solver is compared with: another solver at this size, itself at another size, or
    /// `arithmetic_ceiling`.
    pub with: With,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum With {
    /// Another solver at the same size.
    Solver(&'static str),
    /// The same solver at another size.
    Masses(u64),
    ArithmeticCeiling,
}

const fn pair(solver: &'static str, precision: &'static str, masses: u64, with: With) -> Pair {
    Pair { solver, precision, masses, is_one_thread: false, with }
}

const PAIRS: [Pair; 6] = [
    pair("simd", "f64", 57_000, With::Solver("semaphore")),
    pair("simd", "f32", 57_000, With::Solver("semaphore")),
    pair("fused", "f64", 10_000_000, With::Solver("simd")),
    pair("fused", "f64", 10_000_000, With::Masses(57_000)),
    Pair { is_one_thread: true, ..pair("simd", "f64", 5_900, With::ArithmeticCeiling) },
    pair("simd", "f64", 57_000, With::ArithmeticCeiling),
];

/// Every ratio for each instruction set that vectors were measured with, the fastest first.
pub(super) fn solver_ratios(entries: &[Entry]) -> Vec<Ratio> {
    let of_set = |instructions: &Option<String>| {
        let takes_part =
            |entry: &&Entry| entry.instructions == *instructions || !entry.has_vectors();
        let entries: Vec<&Entry> = entries.iter().filter(takes_part).collect();
        let of_pair = |pair: &Pair| Ratio {
            compared: *pair,
            instructions: instructions.clone(),
            measured: ratio(&entries, pair),
        };
        PAIRS.iter().map(of_pair).collect::<Vec<_>>()
    };
    let ratios: Vec<Ratio> = sets(entries).iter().flat_map(of_set).collect();
    if ratios.is_empty() { of_set(&None) } else { ratios }
}

fn sets(entries: &[Entry]) -> Vec<Option<String>> {
    let mut with_vectors: Vec<&Entry> =
        entries.iter().filter(|entry| entry.has_vectors()).collect();
    with_vectors.sort_by(|a, b| b.rate_per_s.total_cmp(&a.rate_per_s));
    each_once(with_vectors.into_iter().map(|entry| entry.instructions.clone()))
}

fn found<'e>(
    entries: impl IntoIterator<Item = &'e Entry>,
    solver: &str,
    case: (&str, u64, u64),
) -> Option<&'e Entry> {
    let mut entries = entries.into_iter();
    entries.find(|entry| {
        entry.solver == solver && (entry.precision.as_str(), entry.threads, entry.masses) == case
    })
}

fn ratio(entries: &[&Entry], pair: &Pair) -> Option<f64> {
    let all = entries.iter().map(|entry| entry.threads).max()?;
    let threads = if pair.is_one_thread { 1 } else { all };
    let entry =
        |solver, masses| found(entries.iter().copied(), solver, (pair.precision, threads, masses));
    let measured = entry(pair.solver, pair.masses)?;
    let other = match pair.with {
        With::ArithmeticCeiling => return measured.of_arithmetic,
        With::Solver(solver) => entry(solver, pair.masses)?,
        With::Masses(masses) => entry(pair.solver, masses)?,
    };
    Some(measured.rate_per_s / other.rate_per_s)
}

pub(super) fn times_semaphore(entry: &Entry, entries: &[Entry]) -> Option<f64> {
    let case = (entry.precision.as_str(), entry.threads, entry.masses);
    Some(entry.rate_per_s / found(entries, "semaphore", case)?.rate_per_s)
}
