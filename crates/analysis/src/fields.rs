//! Names with units, for parameters and for the figures of a row.

use plan::{Parameters, Row, Value as Parameter};
use serde_json::{Map, Value, json as value};
use stats::Distribution;

use crate::claims::QUANTILES;

/// Version of the JSON's names and their meaning.
pub const SCHEMA_VERSION: u32 = 1;

pub fn parameters(parameters: &Parameters) -> Map<String, Value> {
    let named = |(name, parameter): (&str, &Parameter)| match parameter {
        Parameter::Time(time) => (format!("{name}_ns"), value!(time.0)),
        Parameter::Rate(rate) => (format!("{name}_hz"), value!(rate.hertz())),
        Parameter::Count(count) => (name.to_owned(), value!(count)),
        Parameter::Percent(percent) => (format!("{name}_percent"), value!(percent)),
        Parameter::Number(number) => (name.to_owned(), value!(number.get())),
        Parameter::Word(word) => (name.to_owned(), value!(word)),
    };
    parameters.iter().map(named).collect()
}

pub fn row(row: &Row) -> Map<String, Value> {
    let mut figures: Map<String, Value> = row.facts.clone().into_iter().collect();
    let latency = row.latency.as_ref();
    let figure = |of: fn(&Distribution) -> Value| latency.map_or(Value::Null, of);
    figures.extend(fields(value!({
        "label": row.label,
        "unavailable": row.unavailable,
        "due": row.due,
        "executed": row.executed,
        "skipped": row.skipped,
        "count": latency.map_or(0, Distribution::count),
        "early": latency.map_or(0, |latency| latency.early),
        "average_ns": figure(|latency| value!(latency.mean_ns())),
        "min_ns": figure(|latency| value!(latency.min.value_ns)),
        "max_ns": figure(|latency| value!(latency.max.value_ns)),
        "max_at_ns": figure(|latency| value!(latency.max.at_ns)),
        "max_index": figure(|latency| value!(latency.max.index)),
    })));
    for (_, name, share) in QUANTILES {
        let quantile = latency.map(|latency| latency.quantile_ns(share));
        figures.insert(name.to_owned(), value!(quantile));
    }
    figures
}

pub fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
