//! The step-time model (MPE 4.5), fitted to the tires that a machine ran:
//!
//! step time of a thread = masses it owns x (3 spring forces + one integration)
//! + its semaphore operations x lock latency
//! + its involuntary switches x switch latency,
//!
//! with a part that no step is without, and one for masses that the last cache has no
//! room for. Residuals count as shares of the step time, so that a small tire says as
//! much as a large one.

use super::fit::{Fit, Refusal};
use super::run::Run;
use super::work::{self, Way, Work};
use plan::{Outcome, RunSpec, fact};

use crate::capacity::alike;
use crate::survey::System;

/// Runs that differ in masses and threads alone, and what was fitted to them.
pub struct Model<'a> {
    /// The specification of one of them.
    pub spec: &'a RunSpec,
    /// What was measured.
    pub runs: Vec<Run>,
    /// Coefficients, or why there are none.
    pub fit: Result<Fit, Refusal>,
    /// How many bytes the last cache holds, where the machine tells.
    pub cache_bytes: Option<u64>,
}

/// The models of a machine's tires, in the order of their first runs.
pub fn models<'a>(system: &System<'a>) -> Vec<Model<'a>> {
    let cache_bytes = work::last_cache_bytes(system.machine);
    let mut groups: Vec<(&RunSpec, Vec<Run>)> = Vec::new();
    for outcome in system
        .valid()
        .filter(|o| o.header.spec.measurement == "tire")
    {
        let spec = &outcome.header.spec;
        let Some(run) = run(outcome, cache_bytes) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| alike(known, spec)) {
            Some((_, runs)) => runs.push(run),
            None => groups.push((spec, vec![run])),
        }
    }
    let model = |(spec, runs): (&'a RunSpec, Vec<Run>)| Model {
        fit: Fit::to(&runs),
        spec,
        runs,
        cache_bytes,
    };
    groups.into_iter().map(model).collect()
}

pub(super) fn run(outcome: &Outcome, cache_bytes: Option<u64>) -> Option<Run> {
    let spec = &outcome.header.spec;
    let row = outcome.rows.first().filter(|row| row.executed > 0)?;
    let [masses, threads] = ["masses", "threads"].map(|name| spec.parameters.count(name));
    let told = |fact| row.fact(fact)?.as_f64();
    let steps = row.executed as f64;
    let step_ns = told(&fact::STEP_RUN_NS).or_else(|| Some(told(&fact::WALL_NS)? / steps))?;
    let switches = outcome.found.threads.iter();
    let most = switches.map(|thread| thread.counters.involuntary_switches);
    let cpus = spec.asked.cpus.len() as u64;
    let way = Way {
        spec,
        cpus,
        cache_bytes,
    };
    (step_ns > 0.0).then(|| Run {
        masses,
        threads,
        cpus,
        work: way.work(masses, threads),
        switches: most.max().unwrap_or(0) as f64 / steps,
        step_ns,
    })
}

impl Model<'_> {
    /// A step of so many masses on so many threads without an involuntary switch, on as
    /// many CPUs as runs with these threads had.
    pub(super) fn undisturbed(&self, masses: u64, threads: u64) -> (Work, f64) {
        let same = self.runs.iter().filter(|run| run.threads == threads);
        let way = Way {
            spec: self.spec,
            cpus: same.map(|run| run.cpus).max().unwrap_or(threads),
            cache_bytes: self.cache_bytes,
        };
        (way.work(masses, threads), 0.0)
    }
}
