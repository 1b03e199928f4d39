//! Maps: every cell is measured once, whatever interrupts.

use crate::common::{Folder, MODEST, eventually, send, start_unheard};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeSet;

/// Four sizes on one and on two threads, each measured for an instant.
const GRID: &str = "--full-grid --from 400 --to 1600 --resolution 400 --threads 1,2 --rate 1kHz";
const CELLS: usize = 8;

/// Returns the sizes and threads of every run.
fn cells(folder: &Folder) -> Vec<(u64, u64)> {
    let outcomes = folder.results().all_outcomes().unwrap().into_iter();
    let parameters = outcomes.map(|outcome| outcome.header.spec.parameters);
    parameters.map(|all| (all.count("masses"), all.count("threads"))).collect()
}

#[test]
fn a_full_grid_has_every_cell_and_is_not_measured_again() {
    let folder = Folder::new();
    let line = format!("map {GRID} --steps 30 {MODEST} --out out");
    let printed = folder.said(&format!("{line} --verbose"));
    let report = folder.report("out");
    let map = &report["maps"][0];
    assert_eq!(map["cells"].as_array().unwrap().len(), CELLS);
    let rows = map["thresholds"].as_array().unwrap();
    let threads: Vec<&Value> = rows.iter().map(|row| &row["threads"]).collect();
    assert_eq!(threads, [&Value::from(1), &Value::from(2), &Value::Null]);
    assert!(printed.contains("As published"), "{printed}");

    let reported = folder.run(&line).succeeded().stderr();
    assert!(!reported.contains("round"), "{reported}");
    assert_eq!(cells(&folder).len(), CELLS);
}

#[test]
fn an_interrupted_map_keeps_what_is_done_and_goes_on() {
    let folder = Folder::new();
    let line = format!("map {GRID} --steps 800 {MODEST} --out out");
    let mut child = start_unheard(folder.command(&line));
    eventually("two cells", || folder.saved("out/results.db") > 1);
    send(Signal::INT, child.id());
    let code = child.wait().unwrap().code();
    let kept = cells(&folder).len();
    assert!((2..CELLS).contains(&kept), "{kept} cells");
    assert_eq!(code, Some(130));

    folder.run(&line).succeeded();
    let all = cells(&folder);
    assert_eq!(all.len(), CELLS, "none twice");
    assert_eq!(BTreeSet::from_iter(all).len(), CELLS);
    assert_eq!(folder.report("out")["maps"][0]["cells"].as_array().unwrap().len(), CELLS);
}
