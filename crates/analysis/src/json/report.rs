//! What is said of systems, without and with their runs.

use plan::Outcome;
use serde_json::{Map, Value, json as value};
use stats::Merit;

use super::run::with_histograms;
use crate::benchmark::{self, Benchmark};
use crate::fields::{SCHEMA_VERSION, fields};
use crate::merit::{self, Case, General, Merits};
use crate::standards::Standards;
use crate::survey::System;
use crate::tolerance::Tolerance;
use crate::{advice, frontier, map, published, rhealstone, step_time, verdict};

/// The field of the runs.
pub(super) const RUNS: &str = "runs";

/// The document on systems and their runs.
pub fn of_systems<'a>(
    systems: &[System],
    outcomes: impl Iterator<Item = &'a Outcome>,
    standards: &Standards,
) -> Value {
    let mut document = without_runs(systems, standards);
    let runs = outcomes.map(|outcome| with_histograms(outcome, standards));
    document[RUNS] = runs.collect();
    document
}

/// The same, whose runs are yet to be written.
pub(super) fn without_runs(systems: &[System], standards: &Standards) -> Value {
    let limits = &standards.limits;
    value!({
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict::of(systems, limits),
        "benchmarks": systems.iter().filter_map(benchmark::of).collect::<Vec<Benchmark>>(),
        "maps": systems.iter().flat_map(|s| map::json(s, standards)).collect::<Vec<Value>>(),
        "step_times": systems.iter().flat_map(step_time::json).collect::<Vec<Value>>(),
        "machines": systems.iter().map(machine).collect::<Vec<Value>>(),
        RUNS: null,
        "real_time_limits": limits.to_string(),
        "frontiers": frontier::json(systems, standards),
        "rhealstone": rhealstone::of(systems),
        "figures_of_merit": figures_of_merit(systems, standards.tolerance),
        "published": {
            "hardware": published::HARDWARE,
            "sources": published::SOURCES,
            "latencies": published::latencies(),
            "tire": published::thresholds(),
            "frame_hardware": published::FRAME_HARDWARE,
            "timed_frames": published::timed_frames(),
            "frames": published::frames(),
        },
    })
}

fn figures_of_merit(systems: &[System], tolerance: Tolerance) -> Value {
    let systems = merit::of(systems, tolerance);
    value!({
        "tolerance": tolerance.share(),
        "systems": systems.iter().map(of_system).collect::<Vec<Value>>(),
    })
}

fn of_system(merits: &Merits) -> Value {
    let general = |general: &General| {
        let mut figures = figures(&general.merit);
        figures.insert("cases".to_owned(), value!(general.cases));
        figures
    };
    let case = |case: &Case| {
        let mut figures = figures(&case.merit);
        figures.extend(fields(value!({
            "measurement": case.measurement(),
            "conditions": case.conditions,
            "load": case.load,
            "count": case.latency.count(),
            "max_ns": case.latency.max.value_ns,
            "in_general": case.counts,
        })));
        figures
    };
    value!({
        "system": merits.system,
        "machine_id": merits.machine_id,
        "general": merits.general.as_ref().map(general),
        "cases": merits.cases.iter().map(case).collect::<Vec<Map<String, Value>>>(),
    })
}

fn figures(merit: &Merit) -> Map<String, Value> {
    fields(value!({
        "efficiency_ns": merit.efficiency_ns,
        "variation_ns": merit.variation_ns,
        "predictability": merit.predictability,
    }))
}

fn machine(system: &System) -> Value {
    let mut machine = fields(value!(system.machine));
    machine.insert("machine_id".to_owned(), value!(system.machine_id));
    let advice = advice::of(system);
    machine.extend(fields(value!({
        "findings": advice.findings,
        "housekeeping_cpus": advice.housekeeping_cpus,
        "kernel_parameters": advice.kernel_parameters,
    })));
    Value::Object(machine)
}
