//! `steadfast run mix`: several models at the same time. Every miss is accounted for, and each
//! model has the results that it has alone.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Done, MODEST, conserves, number as count, report, run};
use serde_json::Value;
use tempfile::tempdir;
use testing::models::{self, Kind, Version};
use testing::{Schema, measure_alone};

fn plan(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("mix.toml");
    fs::write(&path, text).unwrap();
    path
}

/// Runs a plan while no other test measures: its rates share a CPU.
fn mixed(folder: &Path, text: &str, more: &str) -> Done {
    measure_alone();
    let path = plan(folder, text);
    run(&format!("run mix {} {MODEST} --beside --json {more}", path.display()))
}

fn rows(done: &Done) -> Vec<Value> {
    done.succeeded();
    let runs = done.json();
    let schema = Schema::named("run-1");
    runs.iter().for_each(|run| schema.assert(run));
    runs[0]["rows"].as_array().unwrap().clone()
}

const RATES: &str = r#"
[[member]]
name = "fast"
model = "wait"
rate = "1kHz"
spin = "20us"
inputs = { u = "medium.y" }

[[member]]
name = "medium"
model = "wait"
rate = "100Hz"
spin = "50us"
inputs = { u = "slow.y" }

[[member]]
name = "slow"
model = "wait"
rate = "10Hz"

[[member]]
name = "rest"
model = "tire"
solver = "simd"
masses = 400
best_effort = true
limit = "10%"
"#;

#[test]
fn every_rate_has_an_exact_account_and_no_input_is_older_than_it_may_be() {
    let folder = tempdir().unwrap();
    let all = rows(&mixed(folder.path(), RATES, "--seconds 1"));
    let members: Vec<&str> = all.iter().filter_map(|row| row["member"].as_str()).collect();
    assert_eq!(members, ["fast", "medium", "slow", "rest"]);
    for (row, due) in all.iter().zip([1000, 100, 10]) {
        assert_eq!(count(row, "due"), due);
        conserves(row);
    }
    assert!(count(&all[3], "executed") > 0, "{}", all[3]);
    for (place, source) in [(0, "medium"), (1, "slow")] {
        let age = &all[place]["ages"][0];
        assert_eq!(age["from"], source);
        assert_eq!(age["uses"], all[place]["executed"]);
        let left_out = count(&all[place + 1], "skipped");
        assert!(left_out > 0 || age["beyond"] == 0, "{age}");
    }
}

#[test]
fn models_compute_together_what_they_compute_alone() {
    let folder = tempdir().unwrap();
    let fmu = models::fmu(Version::Three, Kind::CoSimulation, &[]);
    let alone = |line: &str, fact: &str| {
        let done = run(&format!("run {line} --overrun catch-up {MODEST} --beside --json"));
        rows(&done)[0][fact].clone()
    };
    let tire = "tire --mode real-time --masses 400 --threads 1 --rate 100Hz --steps 50";
    let of_tire = alone(tire, "state_hash");
    let own = format!("model --fmu {} --rate 1kHz --seconds 0.5", fmu.display());
    let of_own = alone(&own, "output_hash");
    let text = format!(
        "[[member]]\nname = \"own\"\nmodel = \"fmu\"\nfmu = \"{}\"\nrate = \"1kHz\"\n\
         overrun = \"catch-up\"\n\n\
         [[member]]\nname = \"tire\"\nmodel = \"tire\"\nmasses = 400\nrate = \"100Hz\"\n\
         overrun = \"catch-up\"\n",
        fmu.display()
    );
    let all = rows(&mixed(folder.path(), &text, "--seconds 0.5"));
    assert!(of_own.is_string() && of_tire.is_string());
    assert_eq!(all[0]["output_hash"], of_own);
    assert_eq!(all[1]["state_hash"], of_tire);
}

#[test]
fn a_model_that_fails_is_reported_with_its_name() {
    let folder = tempdir().unwrap();
    let fmu = models::fmu(Version::Three, Kind::CoSimulation, &[("FATAL_AT", "20")]);
    let text = format!(
        "{RATES}\n[[member]]\nname = \"odd\"\nmodel = \"fmu\"\nfmu = \"{}\"\n\
         rate = \"100Hz\"\n",
        fmu.display()
    );
    let done = mixed(folder.path(), &text, "--seconds 0.5");
    done.ended_with(1);
    let warnings = done.json()[0]["warnings"].to_string();
    assert!(warnings.contains("odd: "), "{warnings}");
}

#[test]
fn a_report_of_mixes_says_what_was_missed_and_is_as_its_schema_says() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("mix.db");
    let more = format!("--seconds 0.5 --store {}", store.display());
    rows(&mixed(folder.path(), RATES, &more));
    let out = folder.path().join("out");
    let done = run(&format!("report {} --out {}", store.display(), out.display()));
    let printed = done.stdout();
    assert!(printed.contains("Analysis:") || printed.contains("missed"), "{printed}");
    assert!(printed.lines().count() <= 15, "{printed}");
    let report = report(&out);
    let members = report["mixes"][0]["members"].as_array().unwrap();
    assert_eq!(members.len(), 4);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Mixes: several models at once"));
}

#[test]
fn what_is_wrong_with_a_plan_is_reported_with_its_place_and_nothing_is_run() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("none.db");
    let more = format!("--seconds 1 --store {}", store.display());
    for (from, to, place) in [
        ("\"20us\"", "\"soon\"", "mix.toml:6:8: spin: "),
        ("spin = \"50us\"", "masses = 3", "mix.toml:13:1: `masses` is not a key"),
        ("medium.y", "nobody.y", "mix.toml:7:10: fast: no member is named `nobody`"),
        ("medium.y", "medium.x", "mix.toml:7:10: fast: medium: it has no output `x`"),
        ("= true", "= yes", "mix.toml:26:15: "),
        ("\"10%\"", "\"110%\"", "mix.toml:27:9: limit: expected a share from 1% to 100%"),
    ] {
        assert!(RATES.contains(from), "{from}");
        let text = RATES.replacen(from, to, 1);
        mixed(folder.path(), &text, &more).refuses(place);
    }
    run(&format!("run mix {MODEST}")).refuses("no plan given");
    run("run mix no-such.toml").refuses("no-such.toml");
    assert!(!store.exists(), "nothing was run");
}

#[test]
fn best_effort_work_is_counted_in_every_way_to_schedule_it() {
    let folder = tempdir().unwrap();
    let path = plan(folder.path(), RATES);
    let out = folder.path().join("out");
    let done = run(&format!(
        "frontier {} {MODEST} --beside --seconds 300ms --budget 45s --out {}",
        path.display(),
        out.display()
    ));
    assert!(done.code() <= 1, "{}", done.stderr());
    let report = report(&out);
    let tried = &report["best_effort"][0];
    assert_eq!(tried["rates"], serde_json::json!(["fast", "medium", "slow"]));
    let choices = tried["choices"].as_array().unwrap();
    assert_eq!(choices[0]["name"], "none");
    assert_eq!(choices[0]["work_per_s"], Value::Null);
    let names = choices.iter().map(|choice| choice["name"].as_str().unwrap());
    assert!(names.clone().any(|name| name == "idle"), "{choices:?}");
    assert!(names.count() >= 5, "{choices:?}");
    for choice in choices {
        assert!(count(choice, "due") > 0, "{choice}");
        assert!(count(choice, "missed") <= count(choice, "due"), "{choice}");
    }
    let is_counted = |choice: &&Value| choice["runs"].as_u64() >= Some(2);
    for choice in choices[1..].iter().filter(is_counted) {
        assert!(choice["work_per_s"]["value"].as_f64() > Some(0.0), "{choice}");
    }
}
