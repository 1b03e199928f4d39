//! The step-time model (MPE 4.5), fitted to the tires that a machine ran:
//!
//! step time of a thread = masses it owns x (3 spring forces + one integration)
//! + its semaphore operations x lock latency
//! + its involuntary switches x switch latency,
//!
//! with a part that no step is without, and one for masses that the last cache has no
//! room for. Residuals count as shares of the step time, so that a small tire says as
//! much as a large one.

use std::rc::Rc;

use super::capacity::{Capacity, capacities};
use super::fit::{Fit, Refusal};
use super::run::Run;
use super::work::{self, Way, Work};
use plan::{Outcome, RunSpec, fact};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::capacity::{Grid, alike, shared};
use crate::survey::System;

/// Runs of a system that differ in masses and threads alone, and what was fitted to them.
#[derive(Debug, Serialize)]
pub struct Model<'a> {
    /// The system's name.
    pub system: String,
    machine_id: String,
    /// The specification of one of the runs.
    #[serde(flatten, serialize_with = "shared")]
    pub spec: &'a RunSpec,
    /// What was measured.
    pub runs: Vec<Run>,
    /// Coefficients, or why there are none.
    #[serde(flatten, serialize_with = "told")]
    pub fit: Result<Fit, Refusal>,
    /// How many bytes the last cache holds, where the machine tells.
    #[serde(rename = "last_cache_bytes")]
    pub cache_bytes: Option<u64>,
    /// What it predicts for its rate, one for each number of threads; nothing where it could
    /// not be fitted.
    pub capacities: Vec<Capacity>,
}

fn told<S: Serializer>(fit: &Result<Fit, Refusal>, serializer: S) -> Result<S::Ok, S::Error> {
    let (fit, refusal) = (fit.as_ref().ok(), fit.as_ref().err());
    let told = json!({
        "refused": refusal.map(ToString::to_string),
        "coefficients": fit.map(Fit::coefficients),
        "typical_error": fit.map(|fit| fit.typical_error),
        "worst_error": fit.map(|fit| fit.worst_error),
    });
    told.serialize(serializer)
}

/// The models of a system's tires, in the order of their first runs, beside the sizes that
/// were tried.
pub fn models<'a>(system: &System<'a>, grids: &[Rc<Grid>]) -> Vec<Model<'a>> {
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
    let model = |(spec, mut runs): (&'a RunSpec, Vec<Run>)| {
        let fit = Fit::to(&runs);
        if let Ok(fit) = &fit {
            runs.iter_mut().for_each(|run| fit.tell(run));
        }
        let mut model = Model {
            system: system.name.clone(),
            machine_id: system.machine_id.clone(),
            spec,
            runs,
            fit,
            cache_bytes,
            capacities: Vec::new(),
        };
        if let Ok(fit) = &model.fit {
            model.capacities = capacities(&model, fit, grids);
        }
        model
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
        predicted_ns: None,
        limited_by: None,
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
