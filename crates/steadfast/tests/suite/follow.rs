//! `steadfast run --live` and `--stop-at`: a run is shown while it measures, ends at a late wake-up, and is kept.

use crate::common::{Folder, MODEST, number, refused, run};
use serde_json::Value;

/// Lines with figures of the thread on the CPU of modest runs.
pub fn live_lines(printed: &str) -> usize {
    let has_figures = |line: &&str| {
        line.starts_with("CPU ") && line.contains(": due ") && line.contains(", worst ")
    };
    printed.lines().filter(has_figures).count()
}

/// Checks a run that was planned for 20 000 periods and that its first wake-ups ended.
pub fn ended_early(run: &Value) {
    let due = number(run, "due");
    assert!((1..20_000).contains(&due), "{due}");
    assert_eq!(due, number(run, "executed") + number(run, "skipped"));
    let warnings = run["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|one| one["code"] == "stopped_at"), "{warnings:?}");
    assert_eq!(run["conditions"]["requested"]["duration_ns"], 20_000_000_000_u64);
    assert_eq!(run["conditions"]["stop_at_ns"], 1);
}

#[test]
fn a_late_wakeup_ends_a_run_that_is_kept_and_says_so() {
    let folder = Folder::new();
    let line = format!("run wakeup --period 1ms --seconds 20 {MODEST} --stop-at 1ns --live");
    let done = folder.run(&format!("{line} --store stopped.db --keep-samples")).succeeded();
    assert!(done.stdout().contains("ENDED EARLY: "), "{}", done.stdout());
    assert!(live_lines(&done.stderr()) > 0, "{}", done.stderr());
    folder.run("report stopped.db --out report").succeeded();
    ended_early(&folder.report("report")["runs"][0]);
    // What is stored is computed from its samples again.
    let again = folder.run("store recompute stopped.db");
    assert_eq!(again.code(), 0, "{}", again.stderr());
    let json = run(&format!("{line} --json --quiet")).succeeded();
    ended_early(&json.first_run());
    assert_eq!(live_lines(&json.stderr()), 0);
}

#[test]
fn a_run_that_is_shown_lasts_as_long_as_planned() {
    let line = format!("run wakeup --period 1ms --seconds 1.5 {MODEST} --live --stop-at 1h --json");
    let done = run(&line).succeeded();
    let first = done.first_run();
    assert_eq!((number(&first, "due"), first["valid"].as_bool()), (1_500, Some(true)));
    assert!(live_lines(&done.stderr()) > 0, "{}", done.stderr());
    assert!(!first["warnings"].to_string().contains("stopped_at"));
}

#[test]
fn a_plan_makes_all_its_runs_although_each_ends_early() {
    let folder = Folder::new();
    let conditions =
        "policy = \"other\"\nmemory = \"unlocked\"\nidle-states = \"leave\"\ncpus = 0\n";
    let run = "[[run]]\nmeasurement = \"wakeup\"\nseconds = 20\nstop-at = [\"1ns\", \"2ns\"]\n";
    folder.write("plan.toml", format!("repeat = 2\n{run}{conditions}"));
    let done = folder.run("campaign plan.toml --out done --quiet").succeeded();
    assert!(done.stdout().contains("ENDED EARLY: 4 runs; in one, "), "{}", done.stdout());
    let report = folder.report("done");
    let limits = report["runs"].as_array().unwrap().iter();
    let mut limits: Vec<u64> =
        limits.map(|run| run["conditions"]["stop_at_ns"].as_u64().unwrap()).collect();
    limits.sort_unstable();
    assert_eq!(limits, [1, 1, 2, 2]);
}

#[test]
fn what_cannot_be_followed_is_refused_before_anything_is_measured() {
    refused(&format!("run task_switch {MODEST} --live"), "cannot be followed");
    refused(&format!("run wakeup {MODEST} --stop-at soon"), "--stop-at");
}
