//! The figures of a row and the parameters of a run, by names with their units.

use std::collections::BTreeMap;

use record::{Parameters, Row, Value as Parameter};
use serde::Serialize;
use serde_json::{Map, Value, json as value};
use stats::Distribution;

use crate::claims::QUANTILES;
use crate::file_bins::quantile_ns;

/// Returns the properties of a value that serialises as an object.
pub fn properties(value: &impl Serialize) -> Map<String, Value> {
    match value!(value) {
        Value::Object(properties) => properties,
        _ => Map::new(),
    }
}

/// The parameters of a measurement, by names with their units.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedParameters(pub Map<String, Value>);

impl NamedParameters {
    pub fn of(parameters: &Parameters) -> Self {
        let named = |(name, parameter): (&str, &Parameter)| match parameter {
            Parameter::Time(time) => (format!("{name}_ns"), value!(time.0)),
            Parameter::Rate(rate) => (format!("{name}_hz"), value!(rate.hertz())),
            Parameter::Count(count) => (name.to_owned(), value!(count)),
            Parameter::Percent(percent) => (format!("{name}_percent"), value!(percent)),
            Parameter::Number(number) => (name.to_owned(), value!(number.get())),
            Parameter::Word(word) => (name.to_owned(), value!(word)),
        };
        Self(parameters.iter().map(named).collect())
    }
}

/// Figures of a row: those that every row has, and those of its measurement.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures<'a> {
    // First, so that no fact can overwrite a fixed name.
    #[serde(flatten)]
    facts: Facts<'a>,
    /// Why this row has no result: what it needs, in words; null if there is a result.
    unavailable: Option<&'a str>,
    /// Samples (periods, steps, attempts) that were due; always `executed` + `skipped`; null for an
    /// imported file, which does not state it.
    due: Option<u64>,
    /// Samples that were due and executed.
    executed: u64,
    /// Samples that were due but not executed; null for an imported file.
    skipped: Option<u64>,
    /// Number of values in the distribution; 0 if there is no distribution.
    count: u64,
    /// Values below zero: something came before it was due.
    early: u64,
    /// Exact mean, in nanoseconds; null if there is no distribution, as are the other figures down
    /// to `p9999_ns`.
    average_ns: Option<f64>,
    /// Exact smallest value, in nanoseconds; below zero if something came early.
    min_ns: Option<i64>,
    /// Exact largest value, in nanoseconds.
    max_ns: Option<i64>,
    /// Time of the largest value, in nanoseconds after the start of the run; null for an imported file.
    max_at_ns: Option<u64>,
    /// Index of the largest value in the run's own order (period, step, iteration), from 0; null for
    /// an imported file.
    max_index: Option<u64>,
    #[serde(flatten)]
    quantiles: Quantiles<Option<i64>>,
}

/// Something about each quantile.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Quantiles<T> {
    /// Median, in nanoseconds; like every quantile, at most 0.1 % above the true value, and the value of
    /// its bin for an imported file. A quantile with fewer samples than its `samples_for_upper` rests on
    /// the few largest samples.
    p50_ns: T,
    /// Quantile 0.9, in nanoseconds.
    p90_ns: T,
    /// Quantile 0.99, in nanoseconds.
    p99_ns: T,
    /// Quantile 0.999, in nanoseconds.
    p999_ns: T,
    /// Quantile 0.9999, in nanoseconds.
    p9999_ns: T,
}

impl<T> Quantiles<T> {
    /// Makes it from the share of each quantile.
    pub(crate) fn of(each: impl Fn(f64) -> T) -> Self {
        let [p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns] =
            QUANTILES.map(|(_, _, share)| each(share));
        Self { p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns }
    }
}

impl<'a> Figures<'a> {
    pub fn of(row: &'a Row) -> Self {
        let latency = row.latency.as_ref();
        let is_measured = !row.is_imported();
        let in_order = latency.filter(|_| is_measured);
        Self {
            facts: Facts(&row.facts),
            unavailable: row.unavailable.as_deref(),
            due: is_measured.then_some(row.due),
            executed: row.executed,
            skipped: is_measured.then_some(row.skipped),
            count: latency.map_or(0, Distribution::count),
            early: latency.map_or(0, |latency| latency.early),
            average_ns: latency.map(Distribution::mean_ns),
            min_ns: latency.map(|latency| latency.min.value_ns),
            max_ns: latency.map(|latency| latency.max.value_ns),
            max_at_ns: in_order.map(|latency| latency.max.at_ns),
            max_index: in_order.map(|latency| latency.max.index),
            quantiles: Quantiles::of(|share| {
                latency.map(|latency| quantile_ns(&[row], latency, share))
            }),
        }
    }
}

/// The facts of a row.
#[derive(Debug, Clone, Serialize)]
struct Facts<'a>(&'a BTreeMap<String, Value>);

#[cfg(feature = "schema")]
pub use schema::describe_too;

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;
    use std::sync::OnceLock;

    use record::shape::{
        AgeOfInputs, MediumRun, Miss, OutputOverTime, StolenBin, StripBin, TimelineBlock,
    };
    use record::{Disturbed, Fact, Unit, fact};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::Value;

    use super::Facts;
    use crate::finding::{Checked, ThreadsAt};

    /// Facts that measurements declare for themselves, and no report reads.
    static OF_MEASUREMENTS: OnceLock<Vec<Fact>> = OnceLock::new();

    /// Adds facts that are not in the table to the schemas that are derived later.
    pub fn describe_too(facts: Vec<Fact>) {
        OF_MEASUREMENTS.get_or_init(|| facts);
    }

    type Shape = fn(&mut SchemaGenerator) -> Schema;

    /// What facts are that are lists or records.
    const SHAPES: &[(Fact, Shape)] = &[
        (fact::AGES, SchemaGenerator::subschema_for::<Vec<AgeOfInputs>>),
        (fact::BEYOND_AT, SchemaGenerator::subschema_for::<Vec<u64>>),
        (fact::BLAME, SchemaGenerator::subschema_for::<blame::Summary>),
        (fact::BY_MEDIUM_RUN, SchemaGenerator::subschema_for::<Vec<MediumRun>>),
        (fact::CHECKED, SchemaGenerator::subschema_for::<Checked>),
        (fact::COUNTED, SchemaGenerator::subschema_for::<Vec<blame::Counted>>),
        (fact::DISTURBED, SchemaGenerator::subschema_for::<Disturbed>),
        (fact::FILE_BINS, SchemaGenerator::subschema_for::<Vec<(i64, u64)>>),
        (fact::MARKS, SchemaGenerator::subschema_for::<Vec<String>>),
        (fact::MISSES, SchemaGenerator::subschema_for::<Vec<Miss>>),
        (fact::MODEL_THREADS_AT, SchemaGenerator::subschema_for::<Vec<ThreadsAt>>),
        (fact::OUTPUTS_OVER_TIME, SchemaGenerator::subschema_for::<Vec<OutputOverTime>>),
        (fact::STOLEN, SchemaGenerator::subschema_for::<Vec<StolenBin>>),
        (fact::STRIP, SchemaGenerator::subschema_for::<Vec<StripBin>>),
        (fact::TIMELINE, SchemaGenerator::subschema_for::<Vec<TimelineBlock>>),
    ];

    impl JsonSchema for Facts<'_> {
        fn schema_name() -> Cow<'static, str> {
            "Facts".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let property = |fact: &Fact| (fact.name.to_owned(), described(fact, generator).into());
            let own = OF_MEASUREMENTS.get().into_iter().flatten();
            let properties: serde_json::Map<String, Value> =
                fact::all().chain(own).map(property).collect();
            json_schema!({ "type": "object", "properties": properties })
        }
    }

    fn described(fact: &Fact, generator: &mut SchemaGenerator) -> Schema {
        let unit = fact.unit.in_words().map_or_else(String::new, |unit| format!(", {unit}"));
        let (first, rest) = fact.meaning.split_at(1);
        let shape = || SHAPES.iter().find(|(shaped, _)| shaped == fact).unwrap().1;
        let mut schema = match (kind(fact.unit), fact.may_be_null) {
            (Some(kind), false) => json_schema!({ "type": kind }),
            (Some(kind), true) => json_schema!({ "type": [kind, "null"] }),
            (None, false) => shape()(generator),
            (None, true) => json_schema!({ "anyOf": [shape()(generator), { "type": "null" }] }),
        };
        schema
            .insert("description".into(), format!("{}{rest}{unit}.", first.to_uppercase()).into());
        schema
    }

    fn kind(unit: Unit) -> Option<&'static str> {
        match unit {
            Unit::Count | Unit::Microjoules | Unit::Bytes => Some("integer"),
            Unit::Text => Some("string"),
            Unit::YesNo => Some("boolean"),
            Unit::List | Unit::Record => None,
            _ => Some("number"),
        }
    }
}

/// Returns the figures of a row with its label.
pub fn row(row: &Row) -> Map<String, Value> {
    let mut figures = properties(&Figures::of(row));
    figures.insert("label".to_owned(), value!(row.label));
    figures
}
