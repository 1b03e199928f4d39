//! Tests that the schema of a run's rows describes every fact as its declaration does.

use plan::{Fact, Unit, fact};
use probe::{MEASUREMENTS, Measurement};
use serde_json::{Map, Value};

const RUN: &str = include_str!("../../../docs/schema/run-1.json");

/// The fields of every row, whatever was measured.
const EVERY_ROW: &str = "unavailable due executed skipped count early average_ns min_ns max_ns \
                         max_at_ns max_index p50_ns p90_ns p99_ns p999_ns p9999_ns claims";

fn fields() -> Map<String, Value> {
    let schema: Value = serde_json::from_str(RUN).unwrap();
    let fields = schema["$defs"]["figures"]["properties"].as_object();
    fields.unwrap().clone()
}

/// Returns what the schema must say: the measurement, if only one has the fact, meaning and unit.
fn described(fact: &Fact) -> String {
    let declares = |m: &&&dyn Measurement| m.description().facts().any(|declared| declared == fact);
    let by: Vec<_> = MEASUREMENTS.iter().filter(declares).collect();
    let unit = fact.unit.in_words();
    let unit = unit.map_or_else(String::new, |unit| format!(", {unit}"));
    let words = format!("{}{unit}.", fact.meaning);
    match by[..] {
        [only] => format!("{}: {words}", only.name()),
        _ => words[..1].to_uppercase() + &words[1..],
    }
}

fn types(unit: Unit) -> &'static [&'static str] {
    match unit {
        Unit::Count | Unit::Microjoules | Unit::Bytes => &["integer"],
        Unit::Text => &["string"],
        Unit::YesNo => &["boolean"],
        Unit::List => &["array"],
        Unit::Record => &["object"],
        _ => &["integer", "number"],
    }
}

#[test]
fn the_schema_describes_every_fact_as_it_is_declared_and_no_other() {
    let fields = fields();
    for fact in fact::all() {
        let description = fields[fact.name]["description"].as_str();
        assert_eq!(description, Some(&*described(fact)), "{}", fact.name);
    }
    let is_declared = |name: &str| fact::all().any(|fact| fact.name == name);
    for name in fields.keys() {
        let is_in_every_row = EVERY_ROW.split(' ').any(|field| field == name);
        assert_ne!(is_in_every_row, is_declared(name), "{name}");
    }
}

#[test]
fn the_schema_allows_the_types_of_a_facts_unit() {
    let fields = fields();
    for fact in fact::all() {
        let kind = match &fields[fact.name]["type"] {
            Value::Array(kinds) => kinds[0].clone(),
            // Another schema describes its contents.
            Value::Null => Value::from("object"),
            kind => kind.clone(),
        };
        let kind = kind.as_str().unwrap();
        assert!(types(fact.unit).contains(&kind), "{}: {kind}", fact.name);
    }
}
