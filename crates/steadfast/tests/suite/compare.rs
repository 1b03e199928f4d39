//! Comparisons of stores: what is printed, what is written, what is refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{MODEST, run};
use serde_json::Value;
use tempfile::tempdir;
use testing::Schema;

/// Creates a store with short wake-ups: `runs` runs of each of two periods. Returns its path.
fn store(directory: &Path, name: &str, runs: u32, words: &str) -> String {
    let path = directory.join(name).display().to_string();
    let line = format!(
        "run wakeup --period 1ms,2ms --seconds 0.1 {MODEST} --repeat {runs} --store {path} {words}"
    );
    run(&line).succeeded();
    path
}

fn json(line: &str) -> Value {
    let done = run(line);
    done.succeeded();
    let document = done.document();
    Schema::named("compare-1").assert(&document);
    document
}

#[test]
fn two_stores_are_matched_row_by_row_in_every_form() {
    let directory = tempdir().unwrap();
    let one = store(directory.path(), "one.db", 2, "");
    let other = store(directory.path(), "other.db", 2, "");
    let out = directory.path().join("out");
    let line = format!("compare {one} busy={other} --published xenomai");
    let document = json(&format!("{line} --json --out {}", out.display()));
    let pair = &document["pairs"][0];
    assert_eq!((&pair["reference"], &pair["other"]), (&"one".into(), &"busy".into()));
    let rows = pair["rows"].as_array().unwrap();
    assert!(rows.len() >= 2);
    assert!(rows.iter().all(|row| row["reference_runs"] == 2 && row["other_runs"] == 2));
    assert_eq!(document["published"]["latencies"][0]["source"], "SAE 2014");
    for name in ["report.html", "report.json"] {
        assert!(fs::read_to_string(out.join(name)).unwrap().contains("busy"));
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let links = page.split("href=\"tables/").skip(1);
    let linked: BTreeSet<&str> = links.map(|rest| rest.split_once('"').unwrap().0).collect();
    let files = fs::read_dir(out.join("tables")).unwrap();
    let files: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert!(linked.len() >= 3 && linked.len() == files.len(), "{linked:?} {files:?}");
    assert!(files.iter().all(|name| linked.contains(name.as_str())), "{linked:?} {files:?}");
    let figures: usize = rows.iter().map(|row| row["figures"].as_array().unwrap().len()).sum();
    let csv = run(&format!("{line} --csv")).stdout();
    assert_eq!(csv.lines().count(), figures + 1);
    let printed = run(&format!("{line} --verbose"));
    assert!(printed.stdout().starts_with("The answer"), "{}", printed.stdout());
    assert!(printed.stdout().contains("With published figures"));
}

/// Compares runs of one store by their periods, in every form; what does not vary is refused.
#[test]
fn one_store_is_compared_by_what_varies_in_it() {
    let directory = tempdir().unwrap();
    let one = store(directory.path(), "one.db", 2, "");
    let document = json(&format!("compare {one} --json"));
    let names = document["systems"].as_array().unwrap().iter();
    let names: Vec<&Value> = names.map(|system| &system["name"]).collect();
    assert_eq!(names, ["period 1ms", "period 2ms"]);
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["field"], "period");
    assert_eq!(pair["rows"][0]["other_runs"], 2);
    let named = run(&format!("compare {one} --across period --verbose"));
    assert!(named.stdout().contains("by period: period 1ms and period 2ms"));
    run(&format!("compare {one} --across policy")).refuses("what varies alone: period");
}

#[test]
fn loads_are_the_question_where_each_store_has_its_own() {
    let directory = tempdir().unwrap();
    let idle = store(directory.path(), "idle.db", 2, "");
    let loaded = store(directory.path(), "loaded.db", 2, "--load cpu%20");
    let document = json(&format!("compare {idle} {loaded} --json"));
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["field"], "load");
    assert_eq!(pair["across"][0]["other"], "cpu%20");
    assert!(pair["rows_matched"].as_u64() >= Some(2));
    let named = json(&format!("compare {idle} {loaded} --across policy --json"));
    assert_eq!(named["pairs"][0]["rows_matched"], 0);
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let directory = tempdir().unwrap();
    let store = store(directory.path(), "one.db", 1, "");
    let alike = directory.path().join("alike.db").display().to_string();
    run(&format!("run clock_overhead --seconds 0.1 {MODEST} --store {alike}")).succeeded();
    let copy = directory.path().join("copy.db");
    fs::copy(&store, &copy).unwrap();
    let text = directory.path().join("notes.txt");
    fs::write(&text, "these are my notes\n").unwrap();
    let (copy, text) = (copy.display(), text.display());
    for (line, reason) in [
        ("compare".to_owned(), "STORE"),
        (format!("compare {alike}"), "there is nothing to compare"),
        (format!("compare {store} {text}"), "is not a results database"),
        (format!("compare {store} no/such.db"), "does not exist"),
        (format!("compare {store} {store}"), "two systems have the name"),
        (format!("compare a={store} a={copy}"), "two systems have the name `a`"),
        (format!("compare {store} {copy}"), "contain the same run"),
        (format!("compare {store} --published vrtx"), "no published figures are known for `vrtx`"),
        (format!("compare {store} --published all --across colour"), "`colour`; there are"),
        (format!("compare {store} {copy} --margin 5"), "`5` is not a difference"),
        (format!("compare {store} --csv --json"), "cannot be used with"),
    ] {
        run(&line).refuses(reason);
    }
    run(&format!("compare {store} --published all")).succeeded();
}
