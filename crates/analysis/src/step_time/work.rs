//! What the busiest CPU does in one step of a tire, counted from the partition.

use record::{Machine, RunSpec};
use serde::Serialize;

/// The work of one step on the busiest CPU.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Work {
    /// Masses that the busiest CPU computes per step, counting sub-steps.
    #[serde(rename = "masses_a_cpu")]
    pub masses: f64,
    /// Semaphore operations of the busiest CPU per step; a wait and its post count as one.
    #[serde(rename = "semaphores_a_cpu")]
    pub semaphores: f64,
    /// Masses computed by the busiest CPU per step whose state does not fit into the last-level
    /// cache.
    #[serde(rename = "beyond_cache_a_cpu")]
    pub beyond_cache: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FittedRun"))]
pub struct Run {
    /// Number of masses in the ring.
    #[serde(rename = "masses")]
    pub size: u64,
    /// Number of threads.
    pub threads: u64,
    /// Number of CPUs available to the threads.
    pub cpus: u64,
    #[serde(flatten)]
    pub work: Work,
    /// Involuntary context switches per step of the thread with the most.
    #[serde(rename = "switches_a_step")]
    pub switches: f64,
    /// Measured mean step time, in nanoseconds.
    pub step_ns: f64,
    /// Predicted mean step time, in nanoseconds; null if the model was refused.
    pub predicted_ns: Option<f64>,
    /// Largest part of the step; null if the model was refused or the runs do not show that this
    /// part costs anything.
    pub limited_by: Option<&'static str>,
}

/// How a solver divides its work.
struct Division {
    solver: &'static str,
    /// Numbers stored per mass: positions and velocities (4), a second copy of them, forces (2 of a
    /// mass, or of each of two springs).
    numbers: u64,
    /// Bytes of the semaphore of each mass; 0 without semaphores.
    semaphore: u64,
}

const fn division(solver: &'static str, numbers: u64, semaphore: u64) -> Division {
    Division { solver, numbers, semaphore }
}

const DIVISIONS: [Division; 6] = [
    division("semaphore", 10, 32),
    division("semaphore-exact", 10, 32),
    division("two-phase", 8, 0),
    division("barrier", 8, 0),
    division("simd", 4, 0),
    division("fused", 4, 0),
];

/// A way to compute a step, on a number of CPUs that share a cache.
#[derive(Debug, Clone, Copy)]
pub struct Way<'a> {
    pub spec: &'a RunSpec,
    pub cpus: u64,
    pub cache_bytes: Option<u64>,
}

impl Way<'_> {
    /// The work of a step, with thread j on CPU j, counted round and round.
    ///
    /// A thread of the balanced model reads its two neighbours and what lies half the
    /// ring away, as far as other threads own it (MPE algorithm 1); of the central model
    /// its neighbours and the hub, whose owner reads everything.
    pub fn work(&self, masses: u64, threads: u64) -> Work {
        let threads = threads.max(1);
        let solver = self.spec.parameters.solver();
        let division = DIVISIONS.iter().find(|known| known.solver == solver);
        let Some(division) = division else { return Work::default() };
        let on_one_cpu = threads.div_ceil(self.cpus.clamp(1, threads));
        let masses_here = masses.div_ceil(threads);
        let has_hub = self.spec.parameters.model() == "central";
        let others = masses - masses_here;
        let (foreign, hub_reads, hub_masses) = match has_hub {
            false => ((masses_here + 2).min(others), 0, 0.0),
            true if threads == 1 => (0, 1, masses as f64 / 3.0),
            // The hub's owner takes its own semaphore, and those of the others' masses.
            true => (others.min(2) + 1, others - others.min(2), masses as f64 / 3.0),
        };
        let substeps = self.spec.parameters.substeps().max(1) as f64;
        let computed = ((on_one_cpu * masses_here) as f64 + hub_masses) * substeps;
        let taken = (on_one_cpu * (masses_here + foreign) + hub_reads) as f64 * substeps;
        Work {
            masses: computed,
            semaphores: if division.semaphore > 0 { taken } else { 0.0 },
            beyond_cache: computed * self.share_beyond(division, masses),
        }
    }

    fn share_beyond(&self, division: &Division, masses: u64) -> f64 {
        let a_number = if self.spec.parameters.precision() == "f32" { 4 } else { 8 };
        let state = (masses * (division.numbers * a_number + division.semaphore)) as f64;
        self.cache_bytes.map_or(0.0, |cache| (1.0 - cache as f64 / state).max(0.0))
    }
}

/// Returns the size in bytes of the largest cache of a machine's first CPU; `None` if unknown.
pub fn last_cache_bytes(machine: &Machine) -> Option<u64> {
    let bytes = |cache: &String| {
        let mut words = cache.split_whitespace().skip(1);
        let size: u64 = words.next()?.parse().ok()?;
        let unit = match words.next()? {
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            _ => return None,
        };
        Some(size * unit)
    };
    machine.caches.iter().filter_map(bytes).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{machine, tire};
    use record::Value;
    use std::collections::BTreeSet;

    fn spec(model: &str) -> RunSpec {
        let mut spec = tire("real-time", 8, 1, 10, 0).header.spec;
        spec.parameters.set("model", Value::Word(model.to_owned()));
        spec
    }

    fn way(spec: &RunSpec, cpus: u64) -> Way<'_> {
        Way { spec, cpus, cache_bytes: None }
    }

    /// Counts the semaphores that the busiest thread takes, mass by mass.
    fn counted(has_hub: bool, masses: u64, threads: u64) -> u64 {
        let of_thread = |thread: u64| {
            let mut written: Vec<u64> =
                (thread * masses / threads..(thread + 1) * masses / threads).collect();
            let ring = written.clone();
            let across = |i: u64| {
                if has_hub { masses } else { (i + masses / 2) % masses }
            };
            let mut read: BTreeSet<u64> = ring
                .iter()
                .flat_map(|i| [(i + 1) % masses, (i + masses - 1) % masses, across(*i)])
                .collect();
            if has_hub && thread + 1 == threads {
                written.push(masses);
                read.extend(0..masses);
            }
            read.retain(|i| !written.contains(i));
            (written.len() + read.len()) as u64
        };
        (0..threads).map(of_thread).max().unwrap()
    }

    #[test]
    fn semaphores_are_those_of_the_busiest_thread() {
        for (model, has_hub) in [("balanced", false), ("central", true)] {
            let spec = spec(model);
            for masses in [8, 24, 48] {
                for threads in [1, 2, 3, 4, 8] {
                    let work = way(&spec, threads).work(masses, threads);
                    let counted = counted(has_hub, masses, threads) as f64;
                    let close = (work.semaphores - counted).abs() <= 2.0;
                    assert!(close, "{model} {masses} {threads}: {work:?}, {counted}");
                }
            }
        }
    }

    #[test]
    fn threads_that_share_a_cpu_add_up() {
        let spec = spec("balanced");
        let alone = way(&spec, 4).work(4000, 4);
        let shared = way(&spec, 2).work(4000, 4);
        assert_eq!(alone.masses, 1000.0);
        assert_eq!(shared.masses, 2.0 * alone.masses);
        assert_eq!(shared.semaphores, 2.0 * alone.semaphores);
    }

    #[test]
    fn only_what_a_cache_has_no_room_for_is_beyond_it() {
        let spec = spec("balanced");
        let cache_bytes = last_cache_bytes(&machine());
        assert_eq!(cache_bytes, Some(32 << 20));
        let way = Way { cache_bytes, ..way(&spec, 1) };
        let fits = (32 << 20) / 112;
        assert_eq!(way.work(fits, 1).beyond_cache, 0.0);
        let beyond = way.work(2 * fits, 1).beyond_cache;
        assert!((beyond / fits as f64 - 1.0).abs() < 1e-3, "{beyond}");
    }
}
