//! Comparisons of stores: what is printed, what is written, what is refused.

use std::collections::BTreeSet;
use std::fs;

use crate::common::{Folder, MODEST};
use serde_json::Value;
use testing_schema::Schema;

/// Creates a store with wake-ups: two runs of each of two periods.
fn create(folder: &Folder, store: &str, words: &str) {
    let line =
        format!("run wakeup --period 1ms,2ms {MODEST} --beside --repeat 2 --store {store} {words}");
    folder.run(&line).succeeded();
}

fn json(folder: &Folder, line: &str) -> Value {
    let document = serde_json::from_str(&folder.said(line)).unwrap();
    Schema::named("compare-2").assert(&document);
    document
}

#[test]
fn two_stores_are_matched_row_by_row_in_every_form() {
    let folder = Folder::new();
    create(&folder, "one.db", "--seconds 0.1");
    create(&folder, "other.db", "--seconds 0.1");
    let line = "compare one.db busy=other.db --published xenomai";
    let document = json(&folder, &format!("{line} --json --out out"));
    let pair = &document["pairs"][0];
    assert_eq!((&pair["reference"], &pair["other"]), (&"one".into(), &"busy".into()));
    let rows = pair["rows"].as_array().unwrap();
    assert!(rows.len() >= 2);
    assert!(rows.iter().all(|row| row["reference_runs"] == 2 && row["other_runs"] == 2));
    assert_eq!(document["published"]["latencies"], serde_json::json!([]));
    for name in ["report.html", "report.json"] {
        assert!(folder.read(&format!("out/{name}")).contains("busy"));
    }
    let page = folder.read("out/report.html");
    let links = page.split("href=\"tables/").skip(1);
    let linked: BTreeSet<String> =
        links.map(|rest| rest.split_once('"').unwrap().0.to_owned()).collect();
    let files = fs::read_dir(folder.path("out/tables")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(linked.len() >= 3, "{linked:?}");
    assert_eq!(linked, files.collect());
    let figures: usize = rows.iter().map(|row| row["figures"].as_array().unwrap().len()).sum();
    let csv = folder.run(&format!("{line} --csv")).stdout();
    assert_eq!(csv.lines().count(), figures + 1);
    let printed = folder.run(&format!("{line} --verbose")).stdout();
    assert!(printed.starts_with("The answer"), "{printed}");
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains("No published figure is about these measurements"), "{printed}");
}

#[test]
fn one_store_is_compared_by_what_varies_in_it() {
    let folder = Folder::new();
    create(&folder, "one.db", "--seconds 0.1");
    let document = json(&folder, "compare one.db --json");
    let names = [0, 1, 2].map(|place| document["systems"][place]["name"].as_str());
    assert_eq!(names, [Some("period 1ms"), Some("period 2ms"), None]);
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["field"], "period");
    assert_eq!(pair["rows"][0]["other_runs"], 2);
    let named = folder.run("compare one.db --across period --verbose");
    assert!(named.stdout().contains("by period: period 1ms and period 2ms"));
    folder.run("compare one.db --across policy").refuses("what varies alone: period");
}

#[test]
fn loads_are_the_question_where_each_store_has_its_own() {
    let folder = Folder::new();
    // A load that is preempted rests in proportion: in 0.1 s it could do nothing.
    create(&folder, "idle.db", "--seconds 1");
    create(&folder, "loaded.db", "--seconds 1 --load cpu%50");
    let document = json(&folder, "compare idle.db loaded.db --json");
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["field"], "load");
    assert_eq!(pair["across"][0]["other"], "cpu%50");
    assert!(pair["rows_matched"].as_u64() >= Some(2));
    for words in ["", "--json", "--csv", "--fail-if worse"] {
        let line = format!("compare idle.db loaded.db --across policy {words}");
        let printed = folder.run(&line).refuses("nothing was compared").stdout();
        assert!(!printed.is_empty(), "{line}");
        if words == "--json" {
            let named: Value = serde_json::from_str(&printed).unwrap();
            assert_eq!(named["pairs"][0]["rows_matched"], 0);
        }
    }
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let folder = Folder::new();
    create(&folder, "one.db", "--seconds 0.1");
    let alike = "run clock_overhead --seconds 0.1 --store alike.db";
    folder.run(&format!("{alike} {MODEST}")).succeeded();
    fs::copy(folder.path("one.db"), folder.path("copy.db")).unwrap();
    folder.write("notes.txt", "these are my notes\n");
    folder
        .write("cyclictest.json", "{\n  \"file_version\": 1,\n  \"cmdline\": \"cyclictest\"\n}\n");
    for (line, reason) in [
        ("", "STORE"),
        ("alike.db", "there is nothing to compare"),
        ("one.db notes.txt", "is not a results database"),
        ("one.db cyclictest.json", "`steadfast import` reads files of other tools"),
        ("one.db no/such.db", "does not exist"),
        ("one.db one.db", "two systems have the name"),
        ("a=one.db a=copy.db", "two systems have the name `a`"),
        ("one.db copy.db", "contain the same run"),
        ("one.db --published vrtx", "no published figures are known for `vrtx`"),
        ("one.db --published all --across colour", "`colour`; there are beside, cpus, "),
        ("one.db copy.db --margin 5", "`5` is not a difference"),
        ("one.db --csv --json", "cannot be used with"),
    ] {
        folder.run(&format!("compare {line}")).refuses(reason);
    }
    folder.run("compare one.db --published all").succeeded();
}
