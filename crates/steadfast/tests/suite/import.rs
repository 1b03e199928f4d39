//! `steadfast import`, as a user would type it.

use std::fs;

use crate::common::Folder;
use serde_json::{Value, json};

/// The rows of a file's runs in a report.
fn runs(report: &Value) -> &Vec<Value> {
    report["runs"].as_array().unwrap()
}

fn with_files(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in names {
        let files = format!("{}/../import/tests/files", env!("CARGO_MANIFEST_DIR"));
        fs::copy(format!("{files}/{name}"), folder.path(name)).unwrap();
    }
    folder
}

#[test]
fn an_imported_file_is_reported_without_claims() {
    let folder = with_files(&["cyclictest-2.4.json"]);
    let said = folder.said("import cyclictest-2.4.json --store a.db");
    assert!(said.starts_with("cyclictest 2.40, `cyclictest-2.4.json`: 2 rows\n"), "{said}");
    assert!(
        said.contains("fastest thread") && said.ends_with("Next: steadfast report a.db\n"),
        "{said}"
    );
    let short = folder.said("report a.db");
    for words in
        ["average 7.54 µs", "worst 277 µs", "1 imported file", "Not stated:", "load, memory lock"]
    {
        assert!(short.contains(words), "{words}: {short}");
    }
    let verbose = folder.said("report a.db --verbose");
    for claim in ["valid", "INVALID", "95 %", "hard", "Self-test", "other,"] {
        assert!(!verbose.contains(claim), "{claim}: {verbose}");
    }
    let report = folder.run("report a.db --json").document();
    let run = &runs(&report)[0];
    for unknown in ["valid", "conditions", "due", "skipped", "max_at_ns", "max_index"] {
        assert_eq!(run[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(run["claims"]["quantiles"], Value::Null);
    assert_eq!(run["imported"]["tool_version"], "2.40");
    assert_eq!(run["started_utc"], "2026-11-30T15:02:28.000Z");
    assert_eq!((&run["file_mean_ns"], &run["max_ns"]), (&json!(7540.0), &json!(20_000)));
    assert_eq!(run["rows"][1]["beyond_bins"], 15);
    let bins = run["rows"][0]["file_bins"].as_array().unwrap();
    assert!(bins.iter().any(|bin| bin[0] == run["rows"][0]["p50_ns"]), "{run}");
    assert_eq!(report["machines"][0]["imported_as"], "cyclictest-2.4.json");
    folder.run("report a.db --fail-if cyclictest.max>10us").ended_with(1);
    folder.run("report a.db --fail-if cyclictest.*.max>1ms").succeeded();
    folder.run("certificate a.db -o certified").refuses("certificates are of measured runs only");
    folder.run("report a.db --out page").succeeded();
    let page = folder.read("page/report.html");
    assert!(page.contains("not stated") && page.contains("fastest thread"));
    assert!(!page.contains("What these data carry") && !page.contains("95 %"));
}

#[test]
fn files_of_one_machine_are_runs_that_are_compared() {
    let names = ["cyclictest-2.4.json", "cyclictest-2.6.json", "cyclictest-2.10.json"];
    let folder = with_files(&names);
    let [old, new, newer] = names;
    folder.write("again.json", format!("{}\n", folder.read(old)));
    folder.said(&format!("import {old} again.json --machine bench --store old.db"));
    folder.said(&format!("import {new} {newer} --store new.db"));
    let report = folder.run("report old.db --json").document();
    assert_eq!((runs(&report).len(), report["machines"].as_array().unwrap().len()), (2, 1));
    let report = folder.run("report new.db --json").document();
    assert_eq!(report["machines"].as_array().unwrap().len(), 2);
    let compared = folder.said("compare old.db new.db");
    assert!(
        compared.contains("Not stated:") && compared.contains("cyclictest-2.10.json"),
        "{compared}"
    );
}

#[test]
fn a_file_that_cannot_be_imported_is_refused_in_one_line_and_nothing_is_stored() {
    let folder = with_files(&["cyclictest-2.4.json"]);
    folder.write("notes.txt", "these are my notes\n");
    folder.write("cut.json", &folder.read("cyclictest-2.4.json")[..300]);
    for (line, reason) in [
        (
            "notes.txt --store a.db",
            "text that begins with `these are my notes`, of none of the known tools: cyclictest",
        ),
        ("cyclictest-2.4.json notes.txt --store a.db", "`notes.txt` cannot be imported"),
        ("cut.json --store a.db", "`cut.json` cannot be imported: it is not valid JSON"),
        ("none.json --store a.db", "none.json"),
        (". --store a.db", "`.`"),
        ("cyclictest-2.4.json", "--store"),
    ] {
        folder.run(&format!("import {line}")).refuses(reason);
        assert!(!folder.path("a.db").exists(), "{line}");
    }
}

#[test]
fn a_file_that_is_imported_twice_is_refused() {
    let folder = with_files(&["cyclictest-2.4.json", "cyclictest-2.6.json"]);
    folder.write("copy.json", folder.read("cyclictest-2.4.json"));
    folder
        .run("import cyclictest-2.4.json copy.json --machine bench --store a.db")
        .refuses("`copy.json` has the same content as `cyclictest-2.4.json`");
    assert!(!folder.path("a.db").exists());
    folder.said("import cyclictest-2.4.json --store a.db");
    folder.run("import cyclictest-2.6.json copy.json --store a.db").refuses(
        "`a.db` already has the content of `copy.json`, imported as `cyclictest-2.4.json`",
    );
    assert_eq!(runs(&folder.run("report a.db --json").document()).len(), 1);
}
