//! `steadfast run mix`: several models at the same time. Every miss is accounted for.

use crate::common::{Done, Folder, MODEST, conserves, number, run};
use serde_json::Value;
use testing::measure_alone;
use testing::models::{self, Kind, Version};
use testing_schema::Schema;

/// Runs a plan while no other test measures: its rates share a CPU.
fn mixed(folder: &Folder, text: &str, more: &str) -> Done {
    measure_alone();
    folder.write("mix.toml", text);
    folder.run(&format!("run mix mix.toml {MODEST} --beside --json {more}"))
}

fn rows(done: Done) -> Vec<Value> {
    let runs = done.succeeded().json();
    let schema = Schema::named("run-2");
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
fn a_model_that_fails_is_reported_with_its_name() {
    let folder = Folder::new();
    let fmu = models::fmu(Version::Three, Kind::CoSimulation, &[("FATAL_AT", "20")]);
    let text = format!(
        "{RATES}\n[[member]]\nname = \"odd\"\nmodel = \"fmu\"\nfmu = \"{}\"\n\
         rate = \"100Hz\"\noverrun = \"catch-up\"\n",
        fmu.display()
    );
    let run = mixed(&folder, &text, "--seconds 0.5").ended_with(1).first_run();
    let warnings = run["warnings"].to_string();
    assert!(warnings.contains("odd: "), "{warnings}");
}

#[test]
fn what_a_member_does_that_it_should_not_is_reported_with_its_name() {
    let folder = Folder::new();
    let defines = [("DISCARD_AT", "20"), ("LOG_EVERY", "10"), ("UNIQUE_NAMES", "1")];
    let fmu = models::fmu(Version::Two, Kind::CoSimulation, &defines);
    let member = |name: &str| {
        let file = fmu.display();
        format!(
            "[[member]]\nname = \"{name}\"\nmodel = \"fmu\"\nfmu = \"{file}\"\nrate = \"100Hz\"\n\
             log = \"on\"\noverrun = \"catch-up\"\n"
        )
    };
    folder.write("mix.toml", member("odd") + &member("even"));
    let done = folder.run(&format!("run mix mix.toml {MODEST} --beside --seconds 0.5"));
    let (answer, printed) = (done.stdout(), done.stderr());
    for name in ["odd", "even"] {
        let did = format!("{name}: did not make 1 of ");
        assert!(answer.contains(&did), "{answer}");
        assert!(printed.contains(&format!("model: log of {name} (OK): step ")), "{printed}");
    }
    assert_eq!(answer.matches("(1 discarded)").count(), 2, "{answer}");
}

#[test]
fn a_report_of_mixes_says_what_was_missed_and_is_as_its_schema_says() {
    let folder = Folder::new();
    let all = rows(mixed(&folder, RATES, "--seconds 0.5 --store mix.db"));
    let names: Vec<&str> = all.iter().filter_map(|row| row["member"].as_str()).collect();
    assert_eq!(names, ["fast", "medium", "slow", "rest"]);
    for (row, due) in all.iter().zip([500, 50, 5]) {
        assert_eq!(number(row, "due"), due);
        conserves(row);
    }
    let printed = folder.run("report mix.db --out out").stdout();
    assert!(printed.contains("Analysis:") || printed.contains("missed"), "{printed}");
    assert!(printed.lines().count() <= 15, "{printed}");
    let report = folder.report("out");
    let members = report["mixes"][0]["members"].as_array().unwrap();
    assert_eq!(members.len(), 4);
    assert!(folder.read("out/report.html").contains("Mixes: several models at once"));
}

#[test]
fn what_is_wrong_with_a_plan_is_reported_with_its_place_and_nothing_is_run() {
    let folder = Folder::new();
    for (from, to, place) in [
        ("\"20us\"", "\"soon\"", "mix.toml:6:8: spin: "),
        ("medium.y", "medium.x", "mix.toml:7:10: fast: medium: it has no output `x`"),
        ("= true", "= yes", "mix.toml:26:15: "),
        ("\"10%\"", "\"110%\"", "mix.toml:27:9: limit: expected a share from 1% to 100%"),
    ] {
        assert!(RATES.contains(from), "{from}");
        let text = RATES.replacen(from, to, 1);
        mixed(&folder, &text, "--seconds 1 --store none.db").refuses(place);
    }
    run(&format!("run mix {MODEST}")).refuses("no plan given");
    run("run mix no-such.toml").refuses("no-such.toml");
    assert!(!folder.path("none.db").exists(), "nothing was run");
}

#[test]
fn best_effort_work_is_counted_in_every_way_to_schedule_it() {
    let folder = Folder::new();
    folder.write("mix.toml", RATES);
    let line = format!("frontier mix mix.toml {MODEST} --beside --seconds 1s --budget 45s");
    let done = folder.run(&format!("{line} --out out"));
    assert!(done.code() <= 1, "{}", done.stderr());
    let report = folder.report("out");
    let tried = &report["best_effort"][0];
    assert_eq!(tried["rates"], serde_json::json!(["fast", "medium", "slow"]));
    let choices = tried["choices"].as_array().unwrap();
    assert_eq!(choices[0]["name"], "none");
    assert_eq!(choices[0]["work_per_s"], Value::Null);
    let names = choices.iter().map(|choice| choice["name"].as_str().unwrap());
    assert!(names.clone().any(|name| name == "idle"), "{choices:?}");
    assert!(names.count() >= 5, "{choices:?}");
    for choice in choices {
        assert!(number(choice, "due") > 0, "{choice}");
        assert!(number(choice, "missed") <= number(choice, "due"), "{choice}");
    }
    let is_counted = |choice: &&Value| choice["runs"].as_u64() >= Some(2);
    for choice in choices[1..].iter().filter(is_counted) {
        let work = choice["work_per_s"]["value"].as_f64();
        // A CPU that is never idle leaves idle work no step.
        let has_none = choice["name"] == "idle" && work == Some(0.0);
        assert!(has_none || work > Some(0.0), "{choice}");
    }
}
