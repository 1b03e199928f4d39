//! The step-time model (MPE 4.5), fitted to the tires that a machine ran:
//!
//! step time of a thread = masses it owns x (3 spring forces + one integration)
//! + its semaphore operations x lock latency
//! + its involuntary switches x switch latency,
//!
//! with a part that no step is without, and one for masses that the last cache has no
//! room for. Residuals count as shares of the step time, so that a small tire says as
//! much as a large one.

mod fit;
mod model;
#[cfg(test)]
mod tests;
mod work;

use std::rc::Rc;

use record::{Outcome, RunSpec, Size, fact};

use crate::capacity::{Grid, alike};
use crate::lists::groups;
use crate::survey::System;
pub use fit::{Coefficient, Fit, Prediction, Refusal, TERMS, Term};
use model::capacities;
pub use model::{Capacity, Model};
use work::Way;
pub use work::{Run, Work};

/// The models of a system's tires, in the order of first runs, with the sizes that were tried.
pub fn models<'a>(system: &System<'a>, grids: &[Rc<Grid>]) -> Vec<Model<'a>> {
    let cache_bytes = work::last_cache_bytes(system.machine);
    let tires = system.valid().filter(|run| run.header.spec.measurement == "tire");
    let runs = tires.filter_map(|tire| Some((&tire.header.spec, run(tire, cache_bytes)?)));
    let model = |alike: Vec<(&'a RunSpec, Run)>| {
        let spec = alike[0].0;
        let mut runs: Vec<Run> = alike.into_iter().map(|(_, run)| run).collect();
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
    groups(runs, |(a, _), (b, _)| alike(a, b)).into_iter().map(model).collect()
}

fn run(outcome: &Outcome, cache_bytes: Option<u64>) -> Option<Run> {
    let spec = &outcome.header.spec;
    let row = outcome.rows.first().filter(|row| row.executed > 0)?;
    let size = Size::of_measurement(&spec.measurement)?.count(&spec.parameters);
    let threads = spec.parameters.threads();
    let told = |fact| row.fact(fact)?.as_f64();
    let steps = row.executed as f64;
    let step_ns = told(&fact::STEP_RUN_NS).or_else(|| Some(told(&fact::WALL_NS)? / steps))?;
    let switches = outcome.found.threads.iter();
    let most = switches.map(|thread| thread.counters.involuntary_switches);
    let cpus = spec.asked.cpus.len() as u64;
    let way = Way { spec, cpus, cache_bytes };
    (step_ns > 0.0).then(|| Run {
        size,
        threads,
        cpus,
        work: way.work(size, threads),
        switches: most.max().unwrap_or(0) as f64 / steps,
        step_ns,
        predicted_ns: None,
        limited_by: None,
    })
}
