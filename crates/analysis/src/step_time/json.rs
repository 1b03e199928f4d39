//! The step-time models of a machine for programs.

use serde_json::{Map, Value, json};

use super::{Capacity, Fit, Model, Prediction, Run, TERMS, capacities, models};
use crate::capacity::shared;
use crate::fields::fields;
use crate::survey::System;

/// Every model of the machine, fitted or refused.
pub fn of(system: &System) -> Vec<Value> {
    let models = models(system);
    models.iter().map(|model| of_model(model, system)).collect()
}

fn of_model(model: &Model, system: &System) -> Value {
    let capacities = capacities(model, system);
    let mut told = shared(model.spec);
    told.extend(fields(json!({
        "system": system.name,
        "machine_id": system.machine_id,
        "last_cache_bytes": model.cache_bytes,
        "refused": model.fit.as_ref().err().map(ToString::to_string),
        "coefficients": model.fit.as_ref().ok().map(coefficients),
        "typical_error": model.fit.as_ref().ok().map(|fit| fit.typical_error),
        "worst_error": model.fit.as_ref().ok().map(|fit| fit.worst_error),
        "runs": model.runs.iter().map(|run| of_run(run, model)).collect::<Vec<Value>>(),
        "capacities": capacities.iter().map(of_capacity).collect::<Vec<Value>>(),
    })));
    Value::Object(told)
}

fn coefficients(fit: &Fit) -> Vec<Value> {
    let of_term = |(number, term): (usize, &super::Term)| {
        let coefficient = fit.coefficient(number)?;
        Some(json!({
            "term": term.name,
            "limit": term.limit,
            "ns": coefficient.ns,
            "lower_ns": coefficient.ns - coefficient.margin_ns,
            "upper_ns": coefficient.ns + coefficient.margin_ns,
        }))
    };
    TERMS.iter().enumerate().filter_map(of_term).collect()
}

fn of_run(run: &Run, model: &Model) -> Value {
    let fit = model.fit.as_ref().ok();
    json!({
        "masses": run.masses,
        "threads": run.threads,
        "cpus": run.cpus,
        "masses_a_cpu": run.work.masses,
        "semaphores_a_cpu": run.work.semaphores,
        "beyond_cache_a_cpu": run.work.beyond_cache,
        "switches_a_step": run.switches,
        "step_ns": run.step_ns,
        "predicted_ns": fit.map(|fit| fit.of_run(run).ns),
        "limited_by": fit.and_then(|fit| fit.of_run(run).limit()),
    })
}

fn of_capacity(capacity: &Capacity) -> Value {
    json!({
        "threads": capacity.threads,
        "period_ns": capacity.period_ns,
        "masses": capacity.masses,
        "lower": capacity.lower,
        "upper": capacity.upper,
        "limited_by": capacity.step.as_ref().and_then(Prediction::limit),
        "shares": capacity.step.as_ref().map(shares),
        "measured_no_miss_up_to": capacity.measured.held,
        "measured_first_miss": capacity.measured.missed,
    })
}

fn shares(step: &Prediction) -> Map<String, Value> {
    let share =
        |(number, term): (usize, &super::Term)| (term.name.to_owned(), step.share(number).into());
    TERMS.iter().enumerate().map(share).collect()
}
