//! Neighbours that alternate with quiet runs.

use crate::common::{Folder, MODEST};
use serde_json::Value;
use testing::within_tries;

#[test]
fn every_neighbour_does_work_in_turns_with_quiet_runs() {
    let folder = Folder::new();
    // Runs of a second that do not wait while others measure.
    let of = format!("wakeup --period 1ms --cpus 0 --seconds 1 {MODEST} --beside");
    let typed = "interfere --aggressors fork+timers --places same-cpu --budget 45s --out out";
    let reported = || {
        let done = folder.run_words(typed, ["--of", &of]);
        assert!(done.code() <= 1, "{}", done.stderr());
        assert!(done.stdout().contains("wakeup other"), "{}", done.stdout());
        folder.report("out")
    };
    // Starts that take seconds leave time for fewer than two rounds of four runs; the same command continues.
    let has_two_rounds = |report: &Value| report["runs"].as_array().unwrap().len() >= 8;
    let report = within_tries(3, reported, has_two_rounds);
    let matrix = &report["interference"][0];
    assert!(matrix["quiet_runs"].as_u64() > Some(0), "{matrix}");
    let cells = matrix["cells"].as_array().unwrap();
    let names: Vec<&str> = cells.iter().filter_map(|cell| cell["aggressor"].as_str()).collect();
    assert_eq!(names, ["fork", "sham", "timers"]);
    for cell in cells.iter().filter(|cell| cell["runs"] != 0) {
        assert!(cell["work_per_s"].as_f64() > Some(0.0), "{cell}");
        assert_eq!(cell["place"], "same-cpu");
    }
}
