//! The JSON output matches its schemas, and the schemas know every field.

use analysis::Analysis;
use analysis::check::Check;
use analysis::gate::{Allowance, Exact, Sampled};
use analysis::standards::Standards;
use base::{Nanos, Vicinity};
use record::{Outcome, Track};
use serde_json::{Value, json};
use testing::experiment::tried_knobs;
use testing::neighbours;
use testing::outcomes::{
    benchmark, blamed, everything, lab, lab_and_machine, many_loads, messages, own_model, refused,
    self_tested, two_machines,
};
use testing_schema::Schema;

/// Fields whose names are data: CPUs, sensors and vulnerabilities.
const MAPS: [&str; 5] =
    ["governors", "fair_servers", "mitigations", "start_temperatures_c", "start_frequencies_khz"];

fn standards() -> Standards {
    Standards { fail_if: vec!["wakeup.*.max > 20us".parse().unwrap()], ..Standards::default() }
}

/// Returns runs of a user's own model, in both modes.
fn own_models() -> Vec<Outcome> {
    ["real-time", "real-fast"].map(|mode| own_model(mode, 3)).into()
}

#[test]
fn reports_are_as_their_schema_says() {
    let schema = Schema::named("report-2");
    let mut all = vec![vec![], everything(), benchmark(), two_machines()];
    all.extend([many_loads(), messages(), vec![refused()], lab(), lab_and_machine()]);
    all.push(vec![blamed("hog")]);
    all.push(self_tested());
    all.push(own_models());
    all.push(tried_knobs());
    all.push(neighbours::matrix());
    all.push(testing::gates::rounds(8, 1.2, || 1.0));
    all.push(testing::gates::rounds(1, 1.0, || 1.0));
    for outcomes in all {
        schema.assert(&json!(report::Reported::of(&Analysis::of(&outcomes, &standards()))));
    }
}

#[test]
fn gates_in_the_lab_are_as_their_schema_says() {
    let schema = Schema::named("gate-1");
    let sampled = |outcome: &Outcome, value: i64| Sampled {
        outcome: outcome.clone(),
        tracks: vec![Track::new("cpu 0").column("wake_ns", vec![1, value])],
    };
    let runs = lab();
    let baseline: Vec<Sampled> = runs[..3].iter().map(|run| sampled(run, 2)).collect();
    let now = [Some(sampled(&runs[0], 2)), Some(sampled(&runs[1], 6)), None];
    let differs = [Some(sampled(&runs[4], 6)), Some(sampled(&runs[5], 2)), None];
    let allowance = Allowance {
        samples_sha256: runs[4].found.lab.clone().unwrap().samples_sha256,
        reason: "wanted".to_owned(),
    };
    for (now, allowances) in [(&now, &[][..]), (&differs, &[]), (&differs, &[allowance])] {
        let exact = Exact::of("main", &baseline, now, "it was not made", allowances);
        schema.assert(&json!(report::ExactGate::of(&exact)));
    }
}

#[test]
fn checks_are_as_their_schema_says() {
    let schema = Schema::named("check-1");
    for (misses, runs) in [("0", many_loads()), ("10/h", everything())] {
        let check = Check { period: Nanos(1_000_000), max: None, misses: misses.parse().unwrap() };
        let standards = standards();
        let analysis = Analysis::of(&runs, &standards);
        let checked = check.of(&analysis, Nanos::SECOND);
        schema.assert(&json!(report::check(&checked, &analysis)));
    }
}

#[test]
fn runs_are_as_their_schema_says() {
    let schema = Schema::named("run-2");
    let outcomes: Vec<Outcome> = everything().into_iter().chain(own_models()).collect();
    let runs = outcomes.iter().map(|run| analysis::json::run(run, &standards()).json());
    let runs: Vec<Value> = runs.collect();
    runs.iter().for_each(|run| schema.assert(run));
    assert!(runs.iter().any(|run| run["fail_if"] != json!([])));
}

#[test]
fn an_interval_without_an_upper_end_is_null_as_the_schema_says() {
    let disk = ("disk", Vicinity::SameCpu);
    let figures = [(None, 1), (None, 1_000_000_000_000), (Some(disk), 1_000_000_000_000)];
    let runs = figures.into_iter().zip(0..);
    let runs: Vec<Outcome> =
        runs.map(|((load, ns), number)| neighbours::run(load, [ns; 2], number)).collect();
    let report = json!(report::Reported::of(&Analysis::of(&runs, &standards())));
    let median = &report["interference"][0]["cells"][0]["median"];
    assert_eq!(median["upper"], Value::Null, "{median}");
    Schema::named("report-2").assert(&report);
}

/// Findings: the schema does not say which values belong to which kind.
const OPEN: [&str; 6] = [
    "/findings/",
    "/verdict/holds/",
    "/verdict/platform/",
    "/verdict/limits/",
    "/verdict/errors/",
    "/verdict/notes/",
];

/// Returns the pointers to all objects of a document; only the first object of a list is included.
fn objects(value: &Value, place: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter().filter(|(n, _)| !MAPS.contains(&n.as_str())) {
                objects(field, format!("{place}/{name}"), all);
            }
            all.push(place);
        }
        Value::Array(entries) => {
            if let Some(first) = entries.first() {
                objects(first, format!("{place}/0"), all);
            }
        }
        _ => {}
    }
}

#[test]
fn a_field_that_is_not_in_the_schema_is_found_wherever_it_stands() {
    let schema = Schema::named("report-2");
    let document = json!(report::Reported::of(&Analysis::of(&everything(), &standards())));
    let mut places = Vec::new();
    objects(&document, String::new(), &mut places);
    assert!(places.len() > 30, "{places:?}");
    let is_closed = |place: &String| !OPEN.iter().any(|open| place.starts_with(open));
    for place in places.into_iter().filter(is_closed) {
        let mut changed = document.clone();
        changed.pointer_mut(&place).unwrap()["not_in_the_schema"] = json!(1);
        assert!(!schema.errors(&changed).is_empty(), "{place}");
    }
}
