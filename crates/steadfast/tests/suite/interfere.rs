//! Neighbours that alternate with quiet runs, and loads that do one thing.

use crate::common::{Done, Folder, MODEST, run};

/// Returns a matrix of that run, in rounds of one second per run, which does not wait while others
/// measure.
fn beside(more: &str, folder: &Folder) -> Done {
    let line = format!("wakeup --period 1ms --cpus 0 --seconds 1 {MODEST} --beside");
    folder.run_words(&format!("interfere --out out {more}"), ["--of", &line])
}

#[test]
fn every_neighbour_does_work_in_turns_with_quiet_runs() {
    let folder = Folder::new();
    let typed = "--aggressors fork+timers --places same-cpu --budget 34s";
    let done = beside(typed, &folder);
    assert!(done.code() <= 1, "{}", done.stderr());
    assert!(done.stdout().contains("wakeup other"), "{}", done.stdout());
    let report = folder.report("out");
    let matrix = &report["interference"][0];
    assert!(matrix["quiet_runs"].as_u64() > Some(0), "{matrix}");
    let cells = matrix["cells"].as_array().unwrap();
    let names: Vec<&str> = cells.iter().filter_map(|cell| cell["aggressor"].as_str()).collect();
    assert_eq!(names, ["fork", "sham", "timers"]);
    for cell in cells.iter().filter(|cell| cell["runs"] != 0) {
        assert!(cell["work_per_s"].as_f64() > Some(0.0), "{cell}");
        assert_eq!(cell["place"], "same-cpu");
    }
    let starts = report["runs"].as_array().unwrap();
    assert!(starts.len() >= 8, "two rounds of four runs: {}", starts.len());
}

#[test]
fn what_cannot_be_tried_is_refused_in_one_line() {
    let folder = Folder::new();
    for (typed, reason) in [
        ("--budget 3s", "--budget"),
        ("--aggressors cpu@0", "--places"),
        ("--aggressors nonsense", "--aggressors"),
        ("--places moon", "--places"),
    ] {
        beside(typed, &folder).refuses(reason);
    }
    run("interfere --of nonsense").refuses("--of");
    run("interfere").refuses("--of");
    assert!(!folder.path("out/results.db").exists(), "nothing was run");
}
