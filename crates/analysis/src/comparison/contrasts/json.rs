//! The comparison as one JSON document.

use serde::{Serialize, Serializer};
use serde_json::{Value, json as value};
use stats::Superiority;
use units::SchemaVersion;

use super::matching::Across;
use super::pairs::Pair;
use super::row::Row;
use crate::comparison::{Comparison, NOT_CARRIED, details, findings, throughput};
use crate::comparison::{LIMIT_NS, decides, head, loads_of, worst_of_all, worst_under};
use crate::effect::{Effect, FALSE_DISCOVERIES, Quality, Unit};
use crate::published::HARDWARE;
use crate::survey::System;
use crate::{clock, samples};

impl Serialize for Comparison<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        document(self).serialize(serializer)
    }
}

fn document(comparison: &Comparison) -> Value {
    let (systems, contrasts) = (&comparison.systems, &comparison.contrasts);
    let pairs = contrasts.pairs.iter().map(of_pair);
    let findings = [findings(comparison), details(comparison)].concat();
    let not_carried = NOT_CARRIED.iter().filter(|_| comparison.is_of_lab());
    let not_carried = not_carried.map(|(load, why)| value!({ "load": load, "why": why }));
    value!({
        "schema_version": SchemaVersion::<2>,
        "findings": findings,
        "errors": samples::conflicts(comparison.outcomes()),
        "clocks_differ": clock::differ(systems),
        "clock": clock::of_lab(systems),
        "margin": contrasts.margin.share(),
        "false_discoveries": FALSE_DISCOVERIES,
        "comparisons": contrasts.comparisons,
        "variance_source": contrasts.basis.name(),
        "confidence": contrasts.confidence(),
        "varied": comparison.varied.as_ref().map(|varied| value!({
            "by": varied.by,
            "also": varied.also,
            "runs_left_out": varied.left_out,
        })),
        "systems": columns(systems),
        "differences": comparison.differences,
        "pairs": pairs.collect::<Vec<Value>>(),
        "limit_ns": LIMIT_NS,
        "loads_not_carried": not_carried.collect::<Vec<Value>>(),
        "apart": comparison.apart.map(|times| &times.json),
        "published": {
            "hardware": HARDWARE,
            "latencies": comparison.published_latencies(),
            "tire": comparison.published_sizes(),
        },
    })
}

fn columns(systems: &[System]) -> Vec<Value> {
    let loads = loads_of(systems);
    let rates = throughput(systems);
    let rates = rates.into_iter().chain(std::iter::repeat(None));
    let column = |(system, rate): (&System, Option<f64>)| {
        let worst = loads.iter().map(
            |load| value!({ "load": head(load), "max_ns": worst_under(system, load, decides) }),
        );
        value!({
            "name": system.name,
            "machine_id": system.machine_id,
            "runs": system.outcomes.len(),
            "invalid": system.invalid().count(),
            "worst_wakeups": worst.collect::<Vec<Value>>(),
            "worst_wakeup_ns": worst_of_all(system).map(|(ns, _)| ns),
            "mass_updates_per_s": rate,
        })
    };
    systems.iter().zip(rates).map(column).collect()
}

fn of_pair(pair: &Pair) -> Value {
    let across = pair.across.iter().map(|Across { field, values }| {
        value!({ "field": field, "reference": values[0], "other": values[1] })
    });
    let [no_difference, not_decided] = pair.without_difference();
    let [alone, other_alone] = &pair.unmatched;
    value!({
        "reference": pair.names[0],
        "other": pair.names[1],
        "refused": pair.clocks_differ.then_some("clocks differ"),
        "across": across.collect::<Vec<Value>>(),
        "rows_matched": pair.rows.len(),
        "rows_without_difference": no_difference,
        "rows_not_decided": not_decided,
        "reference_only": alone,
        "other_only": other_alone,
        "rows": pair.rows.iter().map(of_row).collect::<Vec<Value>>(),
    })
}

fn of_row(row: &Row) -> Value {
    let figures = row.effects.iter().map(figure);
    let [worst, other_worst] = row.worst.map(|worst| worst.map(|(ns, _)| ns));
    let [samples, other_samples] = row.worst.map(|worst| worst.map_or(0, |(_, count)| count));
    value!({
        "measurement": row.measurement,
        "row": row.label,
        "conditions": row.conditions,
        "reference_runs": row.runs[0],
        "other_runs": row.runs[1],
        "reference_samples": samples,
        "other_samples": other_samples,
        "reference_max_ns": worst,
        "other_max_ns": other_worst,
        "other_takes_longer": row.superiority.map(|Superiority { chance, interval }| value!({
            "chance": chance,
            "lower": interval.map(|[lower, _]| lower),
            "upper": interval.map(|[_, upper]| upper),
        })),
        "speed": row.decision(Quality::Speed).name(),
        "steadiness": row.decision(Quality::Steadiness).name(),
        "figures": figures.collect::<Vec<Value>>(),
    })
}

fn figure(one: &Effect) -> Value {
    value!({
        "figure": one.figure.name,
        "unit": if one.figure.unit == Unit::Time { "ns" } else { "share" },
        "reference": one.values[0],
        "other": one.values[1],
        "threshold_ns": one.threshold_ns,
        "ratio": one.interval().map(|[_, ratio, _]| ratio),
        "lower": one.interval().map(|[lower, _, _]| lower),
        "upper": one.interval().map(|[_, _, upper]| upper),
        "p": one.chance,
        "shown": one.is_shown,
    })
}
