//! Output for other programs: JSON by its schemas, CSV, JUnit XML, limits.

use crate::common::{
    Done, Folder, MODEST, as_ordinary_user, conserves, open_folder, real_time, run, wakeups,
};
use serde_json::Value;
use testing_schema::Schema;

/// Runs with conditions, parameters or lengths without which a measurement lacks fields or takes long.
/// Together with short runs of all others they have every field that this machine can have.
const CHOSEN: &[&str] = &[
    "wakeup --cpus all --seconds 0.2 --load cpu",
    "wakeup --timer interval --policy other --memory unlocked --idle-states leave --seconds 0.2",
    "mode_switch",
    "priority_inversion deadlock_break --trials 5",
    "frame --overrun catch-up --start hybrid --seconds 0.3",
    "ceiling --seconds 0.5",
    "tire --masses 400 --threads 1 --solver semaphore,simd --steps 50",
    "tire --mode real-time --rate 20kHz --masses 57000 --threads 1 --steps 20 \
     --watch 127.0.0.1:9",
];

/// Returns the run lines of all measurements but those of users' own models, which have tests of
/// their own.
fn everything() -> Vec<String> {
    let list = run("list --json").document();
    let names = list["measurements"].as_array().unwrap().iter();
    let names = names.map(|entry| entry["name"].as_str().unwrap());
    let is_chosen = |name: &str| CHOSEN.iter().any(|line| line.split(' ').any(|word| word == name));
    let others = names.filter(|name| !["mix", "model"].contains(name) && !is_chosen(name));
    let others = others.collect::<Vec<&str>>().join(" ");
    let chosen = CHOSEN.iter().map(ToString::to_string);
    chosen.chain([format!("{others} --seconds 0.2")]).collect()
}

/// Asserts that the switch is what a transfer takes beyond a round trip in one task.
fn is_a_difference(switch: &Value) {
    let mean = |row: usize| switch["rows"][row]["average_ns"].as_f64().unwrap();
    assert_eq!(switch["rows"][1]["label"], "fifo_transfer");
    assert_eq!(switch["rows"][2]["label"], "fifo_roundtrip");
    assert_eq!(switch["context_switch_ns"], mean(1) - mean(2));
    assert_eq!(switch["average_ns"], Value::Null);
}

/// Asserts that percentiles rise, and that idle states were held off where that was requested.
fn is_rising_and_held(run: &Value) {
    let names = ["min_ns", "p50_ns", "p99_ns", "p999_ns", "max_ns"];
    assert!(names.map(|name| run[name].as_u64()).is_sorted(), "{run}");
    let conditions = &run["conditions"];
    let is_held = conditions["requested"]["cpu_dma_latency"] == "hold";
    assert!(!is_held || conditions["found"]["system"]["cpu_dma_latency_us"] == 0, "{run}");
}

#[test]
fn runs_and_their_report_are_as_their_schemas_say() {
    let Some(()) = real_time() else { return };
    let folder = Folder::new();
    let schema = Schema::named("run-2");
    for line in everything() {
        let done = folder.run(&format!("run {line} --store s.db --json"));
        for run in done.json() {
            schema.assert(&run);
            let name = run["measurement"].as_str().unwrap();
            // What times a number of events executes or skips each of them.
            if run["due"].is_u64() {
                conserves(&run);
                is_rising_and_held(&run);
                let may_be_starved = ["wakeup", "frame", "tire"].contains(&name);
                assert!(may_be_starved || run["valid"] == true, "{}", run["warnings"]);
            }
            if name == "context_switch" {
                is_a_difference(&run);
            }
        }
    }
    let report = folder.run("report s.db --json").document();
    Schema::named("report-2").assert(&report);
}

#[test]
fn list_doctor_knobs_and_studies_are_as_their_schemas_say() {
    for name in ["list", "doctor", "knobs", "studies"] {
        let document = run(&format!("{name} --json")).document();
        Schema::named(&format!("{name}-1")).assert(&document);
    }
}

#[test]
fn judged_findings_are_as_their_schema_says() {
    let folder = Folder::new();
    folder.run(&format!("run wakeup --seconds 0.1 --store s.db {MODEST}"));
    let document = folder.run("studies --json --from s.db").document();
    Schema::named("studies-1").assert(&document);
    let findings = document["findings"].as_array().unwrap();
    assert!(findings.len() >= 90 && findings.iter().all(|one| one["verdict"].is_string()));
}

fn wakeup(folder: &Folder, words: &[&str]) -> Done {
    folder.run_words(&format!("run wakeup --seconds 0.1 {MODEST}"), words)
}

#[test]
fn limits_decide_the_exit_code_and_are_reported_everywhere() {
    let folder = Folder::new();
    let kept = ["--fail-if", "wakeup.due != 100"];
    let broken = ["--fail-if", "wakeup[period=1ms].max > 1ns"];
    let more = ["--store", "s.db", "--junit", "junit.xml", "--verbose"];
    let done = wakeup(&folder, &[&kept[..], &more].concat()).succeeded();
    assert!(done.stdout().contains("passed: wakeup.due != 100, found 100"));
    let xml = folder.read("junit.xml");
    let passed = r#"<testsuites name="steadfast" tests="1" skipped="0" failures="0" errors="0">"#;
    assert!(xml.contains(passed), "{xml}");

    let done = wakeup(&folder, &[&kept[..], &broken, &["--json"]].concat()).ended_with(1);
    let verdicts = [0, 1].map(|place| done.first_run()["fail_if"][place]["verdict"].clone());
    assert_eq!(verdicts, ["passed", "failed"]);

    let done = folder.run_words("report s.db --junit junit.xml --verbose", broken).ended_with(1);
    assert!(done.stdout().contains("failed: wakeup[period=1ms].max > 1ns"));
    let xml = folder.read("junit.xml");
    assert!(xml.contains("<failure") && xml.contains("&gt; 1ns"), "{xml}");
    for line in ["--hdr x1 --junit ./x1", "--out R --junit R/report.html", "--junit s.db-wal"] {
        folder.run(&format!("report s.db {line}")).refuses("both name");
    }
}

#[test]
fn a_limit_about_nothing_is_an_error_and_where_it_can_be_nothing_is_measured() {
    let folder = Folder::new();
    let wakeup = |words: &[&str]| wakeup(&folder, words);
    for (limit, reason) in [
        ("wakup.max > 1us", "about `wakup`; there is wakeup"),
        ("wakeup[load=cpu].max > 1us", "conditions that no run has"),
    ] {
        let done = wakeup(&["--fail-if", limit]).refuses(reason);
        assert_eq!(done.stdout(), "", "{limit}");
    }
    wakeup(&["--junit", "no/such/file.xml"])
        .refuses("--junit: the directory no/such does not exist");
    std::os::unix::fs::symlink("no/such.xml", folder.path("link.xml")).unwrap();
    wakeup(&["--junit", "link.xml"]).refuses("--junit: link.xml is a link to");
    wakeup(&["--junit", "one.xml", "--hdr", "./one.xml"])
        .refuses("--hdr and --junit: both name one.xml");
    wakeup(&["--store", "q.db", "--junit", "q.db-wal"])
        .refuses("--store and --junit: both name q.db-wal");
    wakeup(&["--csv-histograms", "/"]).refuses("--csv-histograms: / is a directory");
    wakeup(&["--csv", "--json"]).refuses("cannot be used with");
    wakeup(&["--store", "kept.db", "--hdr", "kept.db"])
        .refuses("--store and --hdr: both name kept.db");
    wakeup(&["--store", "kept.db"]).succeeded();
    wakeup(&["--hdr", "kept.db"])
        .refuses("--hdr: kept.db is a results database; name another file");
}

#[test]
fn csv_has_a_line_a_row_and_histograms_hold_every_sample() {
    let folder = Folder::new();
    let words = ["--cpus", "0", "--csv", "--csv-histograms", "bins.csv", "--hdr", "run.hlog"];
    let text = wakeup(&folder, &words).succeeded().stdout();
    let lines: Vec<Vec<&str>> =
        text.split_terminator("\r\n").map(|l| l.split(',').collect()).collect();
    let [names, row] = lines.as_slice() else { panic!("one row on one CPU: {text}") };
    let cell = |name: &str| row[names.iter().position(|known| *known == name).unwrap()];
    assert_eq!((cell("measurement"), cell("due")), ("wakeup", "100"));
    assert_eq!((cell("parameter_period_ns"), cell("valid")), ("1000000", "true"));
    let counts = |line: &str| line.rsplit(',').next().unwrap().parse::<u64>().unwrap();
    let text = folder.read("bins.csv");
    let held: u64 = text.lines().skip(1).map(counts).sum();
    let number = |name: &str| cell(name).parse::<u64>().unwrap();
    assert_eq!(held + number("early"), number("count"));
    assert_eq!(folder.read("run.hlog").matches("\nTag=wakeup_other/CPU_0,0.000,0.100,").count(), 1);
}

#[test]
fn what_broke_is_printed_last_in_every_form() {
    let folder = Folder::new();
    folder.store("idle", wakeups(6e4));
    for form in ["", "--verbose", "--json", "--csv", "--out page"] {
        let line = format!("report idle.db {form} --fail-if wakeup.max>1us");
        let stderr = folder.run(&line).ended_with(1).stderr();
        let is_reported = |line: &str| line.starts_with("failed: wakeup.max>1us, found ");
        assert_eq!(stderr.lines().count(), 5, "{form}: {stderr}");
        assert!(stderr.lines().all(is_reported), "{form}: {stderr}");
    }
    let kept = folder.run("report idle.db --fail-if wakeup.max>1s").succeeded();
    assert_eq!(kept.stderr(), "");
}

#[test]
fn a_comparison_fails_where_a_row_is_shown_to_be_worse_and_no_other_way_round() {
    let folder = Folder::new();
    folder.store("idle", wakeups(6e4));
    folder.store("busy", wakeups(18e4));
    for form in ["", "--json", "--csv"] {
        let line = format!("compare idle.db busy.db --fail-if worse {form}");
        let stderr = folder.run(&line).ended_with(1).stderr();
        let reported = "failed: busy is worse than idle: wakeup ";
        assert!(stderr.lines().last().unwrap().starts_with(reported), "{stderr}");
    }
    folder.said("compare busy.db idle.db --fail-if worse");
    folder.run("compare idle.db busy.db --fail-if better").refuses("worse");
}

fn findings(done: Done) -> usize {
    let diagnosis = done.succeeded().document();
    Schema::named("doctor-1").assert(&diagnosis);
    diagnosis["findings"].as_array().unwrap().len()
}

#[test]
fn an_ordinary_user_gets_every_check_too() {
    assert!(run("doctor").stdout().starts_with("This machine is "));
    let folder = open_folder();
    let by_user = Done::of(as_ordinary_user(&folder, "", "doctor --json"));
    assert_eq!(findings(by_user), findings(run("doctor --json")));
}

#[test]
fn the_doctor_judges_the_requested_cpus_and_refuses_one_that_does_not_exist() {
    let diagnosis = run("doctor --cpus 0 --json").document();
    assert_eq!(diagnosis["cpus"], "0");
    run("doctor --cpus 4095").refuses("there is no CPU 4095 online here; online: ");
}
