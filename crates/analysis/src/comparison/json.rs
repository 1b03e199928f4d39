//! The comparison as JSON, beside all runs.

use serde_json::{Value, json as value};

use super::wakeups::{LIMIT_NS, head, loads_of, worst_under};
use super::{Comparison, NOT_CARRIED, answer, contrasts, throughput};
use crate::json::of_systems;
use crate::survey::System;
use crate::{clock, samples};

/// Everything as one document: the JSON of all runs with the comparison.
#[must_use]
pub fn json(comparison: &Comparison) -> Value {
    match &comparison.contrasts {
        Some(contrasts) => contrasts::json(comparison, contrasts),
        None => beside_all_runs(comparison),
    }
}

fn beside_all_runs(comparison: &Comparison) -> Value {
    let mut document = of_systems(
        &comparison.systems,
        comparison.outcomes(),
        comparison.standards,
    );
    document["comparison"] = told(comparison);
    document
}

fn told(comparison: &Comparison) -> Value {
    let systems = &comparison.systems;
    let not_carried = NOT_CARRIED
        .iter()
        .map(|(load, why)| value!({ "load": load, "why": why }));
    value!({
        "answer": answer(systems),
        "errors": samples::conflicts(comparison.outcomes()),
        "clock": clock::meaning(systems),
        "clocks_differ": clock::differ(systems),
        "limit_ns": LIMIT_NS,
        "systems": columns(comparison),
        "loads_not_carried": not_carried.collect::<Vec<Value>>(),
        "apart": comparison.apart.map(|times| &times.json),
    })
}

fn columns(comparison: &Comparison) -> Vec<Value> {
    let systems = &comparison.systems;
    let loads = loads_of(systems);
    let rates = throughput(systems);
    let rates = rates.into_iter().chain(std::iter::repeat(None));
    let column = |(system, rate): (&System, Option<f64>)| {
        let worst = loads
            .iter()
            .map(|load| value!({ "load": head(load), "max_ns": worst_under(system, load) }));
        value!({
            "name": system.name,
            "machine_id": system.machine_id,
            "worst_wakeups": worst.collect::<Vec<Value>>(),
            "mass_updates_per_s": rate,
        })
    };
    systems.iter().zip(rates).map(column).collect()
}
