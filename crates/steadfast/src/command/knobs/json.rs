//! The knobs of this machine as JSON.

use knob::{Knob, Present, Way};
use serde_json::{Value, json};

/// Version of the JSON's names and their meaning.
const SCHEMA_VERSION: u32 = 1;

pub(super) fn json(found: &[Present], running: &[String]) -> Value {
    let knobs: Vec<Value> = found.iter().map(|one| knob_json(one, running)).collect();
    json!({ "schema_version": SCHEMA_VERSION, "knobs": knobs })
}

fn knob_json(one: &Present, running: &[String]) -> Value {
    let knob = one.knob;
    let places: Vec<String> = one.places.iter().map(ToString::to_string).collect();
    json!({
        "name": one.name,
        "summary": knob.summary,
        "way": way(knob),
        "now": one.now,
        "to_try": one.to_try,
        "out_of_reach": one.out_of_reach,
        "risk": knob.risk.name(),
        "cost": knob.why,
        "settle_s": knob.settle.as_secs(),
        "written_by": knob.written_by.iter().map(|name| rival(name, running)).collect::<Vec<_>>(),
        "cuts_network": knob.cuts_network,
        "places": places,
        "source": knob.source,
    })
}

fn rival(name: &str, running: &[String]) -> Value {
    json!({ "name": name, "runs": running.iter().any(|one| one == name) })
}

/// Returns the word for how the knob is set.
fn way(knob: &Knob) -> &'static str {
    match knob.way {
        Way::Files(..) => "file",
        Way::Tasks(..) => "task",
        Way::Cache => "group",
        Way::Unit => "unit",
        Way::Boot => "boot",
        Way::Held => "held",
        Way::Hog => "disturbance",
        Way::Flag(_) => "flag",
    }
}
