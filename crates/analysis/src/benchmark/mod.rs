//! The tire's solvers against each other and against what the machine allows: medians
//! over the rounds of a session.

mod entry;
mod paced;
mod ratios;

use std::collections::BTreeMap;

use record::{Row, fact};
use serde::Serialize;
use serde_json::Value;

use crate::capacity::is_real_time;
use crate::finding::{AboutCapacity, Finding};
use crate::lists::{found_or_new, groups};
use crate::subject::{Named, named as named_systems};
use crate::survey::{Series, System, median};
use entry::instructions_of;
pub use entry::{Ceiling, Entry};
pub use paced::Paced;
pub use ratios::{Pair, Ratio, With};

const CEILING: &str = "ceiling";
const TIRE: &str = "tire";

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
    /// Name of the machine.
    pub system: String,
    /// Ceilings: what the machine allows, by instruction set, precision and number of threads.
    pub ceilings: Vec<Ceiling>,
    /// Rates of each solver, by size, precision, number of threads and instruction set.
    pub entries: Vec<Entry>,
    /// Ratios between solvers, between sizes, and to the arithmetic ceiling.
    #[serde(rename = "answers")]
    pub ratios: Vec<Ratio>,
    /// Real-time steps after a sleep, with and without a warm-up of the threads; empty if no run
    /// had a warm-up.
    pub paced: Vec<Paced>,
}

pub fn solver_benchmark(system: &System) -> Option<Benchmark> {
    let ceilings = ceilings(system);
    let entries = entries(system);
    let rated = |entry: &Entry| Entry {
        times_semaphore: ratios::times_semaphore(entry, &entries),
        ..entry.clone().against(&ceilings)
    };
    let entries: Vec<Entry> = entries.iter().map(rated).collect();
    let ratios = if entries.is_empty() { Vec::new() } else { ratios::solver_ratios(&entries) };
    (!ceilings.is_empty()).then(|| Benchmark {
        system: system.name.clone(),
        paced: paced(system)
            .into_iter()
            .filter_map(|series| paced::cost_of_sleep(series, &entries))
            .collect(),
        ceilings,
        entries,
        ratios,
    })
}

/// Returns the series of ceilings, all under the conditions of the first.
fn ceiling_series<'s, 'a>(system: &'s System<'a>) -> impl Iterator<Item = &'s Series<'a>> {
    let first = system.of(CEILING).next();
    let alike = move |series: &&Series| first.is_some_and(|first| same_conditions(first, series));
    system.of(CEILING).filter(alike)
}

/// Returns the tires that the ceilings apply to: as fast as possible under the same conditions.
fn compared<'s, 'a>(system: &'s System<'a>) -> impl Iterator<Item = &'s Series<'a>> {
    let ceiling = system.of(CEILING).next();
    let is_alike =
        move |series: &Series| ceiling.is_some_and(|measured| same_conditions(measured, series));
    tires(system).filter(move |series| !is_real_time(series) && is_alike(series))
}

/// Returns the real-time tires that show what sleeping costs, which does not concern deadlines.
pub fn paced<'s, 'a>(system: &'s System<'a>) -> Vec<&'s Series<'a>> {
    paced::series(tires(system))
}

/// Returns the tires under the loads of the ceilings: the balanced model, in the papers' steps.
fn tires<'s, 'a>(system: &'s System<'a>) -> impl Iterator<Item = &'s Series<'a>> {
    let ceiling = system.of(CEILING).next();
    system.of(TIRE).filter(move |series| {
        let parameters = &series.spec.parameters;
        parameters.model() == "balanced"
            && parameters.substeps() <= 1
            && ["", "spin"].contains(&parameters.barrier())
            && ceiling.is_some_and(|ceiling| ceiling.spec.asked.loads == series.spec.asked.loads)
    })
}

fn same_conditions(a: &Series, b: &Series) -> bool {
    let (a, b) = (&a.spec.asked, &b.spec.asked);
    a.policy == b.policy && a.loads == b.loads
}

pub fn shows(system: &System, series: &Series) -> bool {
    let mut shown = ceiling_series(system).chain(compared(system)).chain(paced(system));
    shown.any(|shown| std::ptr::eq(shown, series))
}

fn ceilings(system: &System) -> Vec<Ceiling> {
    let mut ceilings: Vec<Ceiling> = Vec::new();
    for series in ceiling_series(system) {
        let precision = series.spec.parameters.precision();
        let threads = series.count(&fact::THREADS);
        let instructions = instructions_of(series);
        // Earlier runs recorded no set with the memory ceiling because there was only one.
        let is_own = |set: &Option<String>| instructions.is_none() || instructions == *set;
        let same = |c: &Ceiling| {
            c.precision == precision && c.threads == threads && is_own(&c.instructions)
        };
        let new = || Ceiling {
            instructions: instructions.clone(),
            precision: precision.to_owned(),
            threads,
            ..Ceiling::default()
        };
        let ceiling = found_or_new(&mut ceilings, same, new);
        let rate = series.median(&fact::MASS_UPDATES_PER_S);
        match series.word(&fact::KIND) {
            "arithmetic" => {
                ceiling.arithmetic_per_s = rate;
                ceiling.multiplications_a_mass = series.median(&fact::MULTIPLICATIONS_A_MASS);
            }
            _ => {
                ceiling.memory_per_s = rate;
                ceiling.bytes_per_s = series.median(&fact::BYTES_PER_S);
                ceiling.bytes_a_mass = series.median(&fact::BYTES_A_MASS);
            }
        }
    }
    ceilings
}

fn entries(system: &System) -> Vec<Entry> {
    let key = |series: &Series| {
        let parameters = &series.spec.parameters;
        let words = [parameters.solver(), parameters.precision()].map(str::to_owned);
        (words, instructions_of(series), series.count(&fact::THREADS), series.count(&fact::MASSES))
    };
    let alike = groups(compared(system), |a, b| key(a) == key(b));
    let entry = |group: &Vec<&Series>| {
        let rates = || group.iter().flat_map(|series| series.facts(&fact::MASS_UPDATES_PER_S));
        let ([solver, precision], instructions, threads, masses) = key(group[0]);
        Some(Entry {
            solver,
            instructions,
            precision,
            threads,
            masses,
            rounds: rates().count(),
            rate_per_s: median(rates().filter_map(Value::as_f64)).filter(|rate| *rate > 0.0)?,
            cpu_share: median(group.iter().flat_map(|series| &series.rows).filter_map(cpu_share)),
            steps_a_pass: group[0].median(&fact::STEPS_AT_ONCE).unwrap_or(1.0),
            ..Entry::default()
        })
    };
    let mut entries: Vec<Entry> = alike.iter().filter_map(entry).collect();
    entries.sort_by_key(|entry| (entry.precision == "f32", entry.threads, entry.masses));
    entries
}

fn cpu_share(row: &&Row) -> Option<f64> {
    let [cpu, wall, threads] =
        [fact::CPU_TIME_NS, fact::WALL_NS, fact::THREADS].map(|fact| row.fact(&fact)?.as_f64());
    Some(cpu? / (wall? * threads?)).filter(|share| share.is_finite())
}

/// Below this share of CPU time, the solver does not limit its own rate.
const LEAST_CPU_SHARE: f64 = 0.95;

impl Benchmark {
    pub fn disturbance(&self) -> Option<Finding> {
        let shares = self.entries.iter().filter_map(|entry| entry.cpu_share);
        let low: Vec<f64> = shares.filter(|share| *share < LEAST_CPU_SHARE).collect();
        let least = low.iter().copied().reduce(f64::min)?;
        let (rates, of, enough) = (low.len(), self.entries.len(), LEAST_CPU_SHARE);
        Some(Finding::Capacity(AboutCapacity::SolversDisturbed { rates, of, enough, least }))
    }

    /// Returns the fewest and the most runs that a rate is the median of.
    pub fn rounds(&self) -> [usize; 2] {
        let rounds = || self.entries.iter().map(|entry| entry.rounds);
        [rounds().min(), rounds().max()].map(Option::unwrap_or_default)
    }

    /// The fastest solver of each size and number of threads in the first precision, sizes rising.
    pub fn fastest(&self) -> Vec<&Entry> {
        let mut fastest: BTreeMap<(u64, u64), &Entry> = BTreeMap::new();
        for entry in self.entries.iter().filter(|e| e.precision == self.entries[0].precision) {
            let best = fastest.entry((entry.masses, entry.threads)).or_insert(entry);
            if entry.rate_per_s >= best.rate_per_s {
                *best = entry;
            }
        }
        fastest.into_values().collect()
    }
}

pub fn findings(systems: &[System], benchmarks: &[Benchmark]) -> Vec<Finding> {
    let of_machine = |(name, benchmark): &(Option<String>, &Benchmark)| {
        let fastest = benchmark.fastest();
        let changes = fastest.chunk_by(|a, b| a.solver == b.solver);
        let solvers: Vec<_> =
            changes.map(|alike| (alike[0].solver.clone(), alike[0].masses)).collect();
        let (is_any, machine) = (!solvers.is_empty(), name.clone());
        is_any.then_some(Finding::Capacity(AboutCapacity::FastestSolver { machine, solvers }))
    };
    let named = named(systems, benchmarks);
    let fastest = named.iter().filter_map(of_machine);
    fastest.chain(benchmarks.iter().filter_map(Benchmark::disturbance)).collect()
}

pub fn named<'b>(
    systems: &[System],
    benchmarks: &'b [Benchmark],
) -> Vec<(Option<String>, &'b Benchmark)> {
    let machines = named_systems(systems);
    let of_machine = |machine: &Named| {
        let of_machine =
            benchmarks.iter().find(|benchmark| benchmark.system == machine.system.name)?;
        Some((machine.name.clone(), of_machine))
    };
    machines.iter().filter_map(of_machine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analysis;
    use crate::finding::AboutCapacity::SolversDisturbed;
    use crate::fixture::{ceiling, paced as slept, raced, tire};
    use crate::standards::DEFAULT_STANDARDS;
    use crate::survey::systems;
    use record::Outcome;

    fn only(outcomes: &[Outcome]) -> Benchmark {
        solver_benchmark(&systems(outcomes)[0]).unwrap()
    }

    /// Two rounds of a ceiling and two solvers, one of them disturbed.
    fn rounds() -> Vec<Outcome> {
        let round = |speed: f64| {
            [
                ceiling("f64", 2, 4e9 * speed, 64e9 * speed),
                raced("semaphore", "f64", 2, 57_000, 40e6 * speed),
                raced("simd", "f64", 2, 57_000, 2.4e9 * speed),
                raced("fused", "f64", 2, 57_000, 3.2e9 * speed),
            ]
        };
        [1.0, 0.01, 1.0].map(round).concat()
    }

    #[test]
    fn medians_of_the_rounds_are_compared() {
        let benchmark = only(&rounds());
        let ratios: Vec<(&str, f64, Option<f64>)> = benchmark
            .entries
            .iter()
            .map(|e| (e.solver.as_str(), e.rate_per_s, e.times_semaphore))
            .collect();
        assert_eq!(
            ratios,
            [
                ("semaphore", 40e6, Some(1.0)),
                ("simd", 2.4e9, Some(60.0)),
                ("fused", 3.2e9, Some(80.0)),
            ]
        );
        assert_eq!(benchmark.rounds(), [3, 3]);
        assert_eq!(benchmark.entries[1].of_arithmetic, Some(0.6));
        assert_eq!(benchmark.entries[1].of_memory, Some(2.4));
        assert_eq!(benchmark.entries[2].of_memory, Some(0.1));
    }

    #[test]
    fn solvers_without_all_of_their_cpus_are_found() {
        let mut runs = rounds();
        assert_eq!(only(&runs).disturbance(), None);
        for run in runs.iter_mut().filter(|run| run.header.spec.measurement == "tire") {
            let wall = run.rows[0].facts["wall_ns"].as_u64().unwrap();
            run.rows[0] = run.rows[0].clone().with(&fact::CPU_TIME_NS, wall);
        }
        let disturbed =
            Finding::Capacity(SolversDisturbed { rates: 3, of: 3, enough: 0.95, least: 0.5 });
        assert_eq!(only(&runs).disturbance(), Some(disturbed));
    }

    #[test]
    fn other_conditions_and_sizes_are_not_compared() {
        let mut runs = rounds();
        runs.push(raced("simd", "f32", 2, 57_000, 5e9));
        runs.push(raced("simd", "f64", 1, 57_000, 1e9));
        runs.push(tire("real-fast", 57_000, 2, 10, 0));
        runs.push(tire("real-time", 57_000, 2, 10, 0));
        let entries = only(&runs).entries;
        assert_eq!(entries.len(), 5);
        let alone = entries.iter().filter(|e| e.threads == 1 || e.precision == "f32");
        let shares: Vec<_> = alone.map(|e| (e.times_semaphore, e.of_memory)).collect();
        assert_eq!(shares, [(None, None); 2]);
        assert!(solver_benchmark(&systems(&runs[1..4])[0]).is_none(), "without a ceiling");
    }

    #[test]
    fn the_cost_of_sleep_is_no_question_of_deadlines() {
        let slept = [slept("none", 80_000.0, 0.0), slept("touch:1ms", 40_000.0, 0.1)];
        let mut other = slept[0].clone();
        other.header.spec.parameters.set_masses(114_000);
        let bench = [&rounds()[..], &slept].concat();
        let benchmark = only(&bench);
        let factors = benchmark.paced.iter().map(|paced| paced.times_back_to_back);
        let back_to_back = 57_000.0 / 2.4e9;
        let expected = [80e-6, 40e-6].map(|s: f64| s / back_to_back);
        for (factor, expected) in factors.zip(expected) {
            assert!((factor.unwrap() / expected - 1.0).abs() < 0.1, "{factor:?}");
        }
        let sizes = |runs: &[Outcome]| Analysis::of(runs, &DEFAULT_STANDARDS).frontiers.len();
        assert_eq!(sizes(&bench), 0);
        let other = std::slice::from_ref(&other);
        assert_eq!(sizes(&[&bench, other].concat()), 1);
        assert_eq!(sizes(&[other, &bench].concat()), 1);
    }

    /// The same run with vectors of one set.
    fn with_set(mut run: Outcome, set: &str) -> Outcome {
        let word = record::Value::Word(set.to_owned());
        run.header.spec.parameters.set("instructions", word);
        for row in &mut run.rows {
            *row = row.clone().with(&fact::INSTRUCTIONS, set);
        }
        run
    }

    #[test]
    fn each_instruction_set_has_its_own_ceiling_and_ratios() {
        let mut runs = vec![raced("semaphore", "f64", 2, 57_000, 40e6)];
        for (set, speed) in [("avx2", 0.5), ("avx512", 1.0)] {
            runs.push(with_set(ceiling("f64", 2, 4e9 * speed, 64e9), set));
            let rate = 2.4e9 * speed * speed;
            runs.push(with_set(raced("simd", "f64", 2, 57_000, rate), set));
        }
        let benchmark = only(&runs);
        assert_eq!(benchmark.ceilings.len(), 2);
        let shares: Vec<_> =
            benchmark.entries.iter().map(|e| (e.times_semaphore, e.of_arithmetic)).collect();
        let expected = [(Some(1.0), Some(0.01)), (Some(15.0), Some(0.3)), (Some(60.0), Some(0.6))];
        assert_eq!(shares, expected);
        let of_set = |set: &str| {
            let of_set = benchmark.ratios.iter().filter(|r| r.instructions.as_deref() == Some(set));
            of_set.filter_map(|ratio| ratio.measured).collect::<Vec<_>>()
        };
        assert_eq!(of_set("avx512"), [60.0, 0.6]);
        assert_eq!(of_set("avx2"), [15.0, 0.3]);
        assert_eq!(
            benchmark.ratios[0].instructions.as_deref(),
            Some("avx512"),
            "the fastest first"
        );
    }

    #[test]
    fn ratios_are_reported_where_their_parts_were_measured() {
        let measured = only(&rounds()).ratios.into_iter().map(|ratio| ratio.measured);
        let expected = [Some(60.0), None, None, None, None, Some(0.6)];
        assert_eq!(measured.collect::<Vec<_>>(), expected);
    }
}
