//! Compares the files of `docs/schema` with the types of which the JSON is a value.
//! `GOLDEN=write cargo test -p steadfast --bin steadfast schemas` writes them again.

use std::collections::{BTreeMap, BTreeSet};

use analysis::atlas::Atlas;
use analysis::comparison::Comparison;
use analysis::json::Run;
use doctor::Diagnosis;
use measure::MEASUREMENTS;
use record::{DISTURBANCE, Kind, Parameter};
use report::{AuditReport, CheckReport, ExactGate, Reported, SelfTestReport};
use serde_json::{Map, Value, json};
use testing_schema::{Printed, assert_derived};

use crate::command::knobs::KnobList;
use crate::command::list::List;
use crate::command::model::DescribedFile;
use crate::command::studies::FindingList;

pub(super) const PRINTED: &[Printed] = &[
    Printed::new::<AuditReport>("audit"),
    Printed::new::<CheckReport>("check"),
    Printed::new::<Comparison>("compare"),
    Printed::new::<Diagnosis>("doctor"),
    Printed::new::<ExactGate>("gate"),
    Printed::new::<Atlas>("kernels"),
    Printed::new::<KnobList>("knobs"),
    Printed::new::<List>("list"),
    Printed::new::<DescribedFile>("model"),
    Printed::new::<Reported>("report"),
    Printed::new::<Run>("run"),
    Printed::new::<SelfTestReport>("self-test"),
    Printed::new::<FindingList>("studies"),
];

/// Returns the schema of the parameters of all measurements. A description begins with the names of
/// the measurements that have the parameter.
fn parameters() -> Value {
    let mut all: BTreeMap<String, Vec<(&str, &Parameter)>> = BTreeMap::new();
    for description in MEASUREMENTS.iter().map(|one| one.description()) {
        for parameter in description.parameters {
            let unit = match parameter.kind {
                Kind::Time => "_ns",
                Kind::Rate => "_hz",
                Kind::Percent(..) => "_percent",
                _ => "",
            };
            let name = format!("{}{unit}", parameter.name);
            all.entry(name).or_default().push((description.name, parameter));
        }
    }
    let mut properties: Map<String, Value> =
        all.into_iter().map(|(name, uses)| (name, parameter(&uses))).collect();
    let disturbance = "self_test: the name of the disturbance";
    properties
        .insert(DISTURBANCE.to_owned(), json!({ "type": "string", "description": disturbance }));
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn parameter(uses: &[(&str, &Parameter)]) -> Value {
    let mut helps: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    uses.iter().for_each(|(name, one)| helps.entry(one.help).or_default().push(name));
    let help = |(help, names): (&str, Vec<&str>)| format!("{}: {help}", names.join(", "));
    let description: Vec<String> = helps.into_iter().map(help).collect();
    let kinds: BTreeSet<&str> = uses.iter().flat_map(|(_, one)| types(one.kind)).copied().collect();
    let unit = match uses[0].1.kind {
        Kind::Time => ", in nanoseconds".to_owned(),
        Kind::Rate => ", per second".to_owned(),
        Kind::Percent(..) => ", in percent".to_owned(),
        Kind::Number(unit) if !unit.is_empty() => format!(", in {unit}"),
        _ => String::new(),
    };
    let description = format!("{}{unit}.", description.join("; "));
    let words = uses.iter().map(|(_, one)| match one.kind {
        Kind::Choice(words) => Some(words),
        _ => None,
    });
    match words.collect::<Option<Vec<_>>>() {
        Some(words) => {
            let words: BTreeSet<&str> = words.into_iter().flatten().copied().collect();
            json!({ "description": description, "type": kinds, "enum": words })
        }
        None => json!({ "description": description, "type": kinds }),
    }
}

fn types(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Time | Kind::Count(..) | Kind::Percent(..) => &["integer"],
        Kind::Threads(_) => &["integer", "string"],
        Kind::Rate | Kind::Number(_) => &["number"],
        Kind::Choice(_)
        | Kind::Peer(_)
        | Kind::Text(_)
        | Kind::File(_)
        | Kind::Settings
        | Kind::Names => &["string"],
    }
}

#[test]
fn every_schema_is_derived_from_its_type() {
    let declared = MEASUREMENTS.iter().flat_map(|measurement| measurement.description().facts());
    let own = declared.filter(|fact| record::fact::all().all(|known| known.name != fact.name));
    analysis::fields::describe_too(own.copied().collect());
    assert_derived(PRINTED, &[("NamedParameters", parameters())]);
}
