//! The search for the largest tire that holds.

mod common;

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Done, MODEST, run, steadfast};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use store::Store;
use tempfile::tempdir;
use testing::models::{self, Kind, Version};

/// A search at a rate that every machine holds with some size.
const SEARCH: &str = "frontier --rate 200Hz --threads 1,2 --solver simd --held-for 500ms";

/// Budgets are short here, and these tests run side by side.
fn line(out: &Path, more: &str) -> String {
    format!("{SEARCH} {MODEST} --beside --out {} {more}", out.display())
}

/// How many runs each session has.
fn runs(out: &Path) -> Vec<usize> {
    let store = Store::open_existing(&out.join("results.db")).unwrap();
    let sessions = store.sessions().unwrap();
    sessions.iter().map(|session| session.done).collect()
}

fn frontiers(out: &Path) -> Vec<Value> {
    let text = fs::read_to_string(out.join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    testing::Schema::named("report-1").assert(&report);
    report["frontiers"].as_array().unwrap().clone()
}

#[test]
fn a_search_ends_with_an_interval_for_each_number_of_threads_and_goes_on() {
    let directory = tempdir().unwrap();
    let out = directory.path();
    let done = run(&line(out, "--soft --budget 6s --verbose"));
    done.succeeded();
    assert!(done.stdout().contains("The frontier of soft real time"), "{}", done.stdout());
    assert!(done.stdout().contains("The search"), "{}", done.stdout());
    let [frontier] = &frontiers(out)[..] else {
        panic!("one rate, one frontier");
    };
    assert_eq!(frontier["strictness"], "soft");
    let lines = frontier["lines"].as_array().unwrap();
    let threads: Vec<u64> = lines.iter().map(|line| line["threads"].as_u64().unwrap()).collect();
    assert_eq!(threads, [1, 2]);
    let before = runs(out);
    let done = run(&line(out, "--soft --budget 6s"));
    let told = format!("unfinished search with {} runs", before[0]);
    assert!(done.stderr().contains(&told), "{}", done.stderr());
    let after = runs(out);
    assert!(after.len() == 1 && after[0] > before[0], "{before:?} {after:?}");
}

#[test]
fn an_interrupted_search_tells_what_it_knows() {
    let directory = tempdir().unwrap();
    let out = directory.path();
    let mut command = steadfast(&line(out, "--budget 5min --verbose"));
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    let started = Instant::now();
    // Both lines had one, and one of them another.
    let has_runs = || {
        let store = Store::open_existing(&out.join("results.db")).ok();
        let sessions = store.and_then(|store| store.sessions().ok());
        sessions.is_some_and(|sessions| sessions.iter().any(|session| session.done > 2))
    };
    while !has_runs() {
        assert!(started.elapsed() < Duration::from_secs(120), "no run was made");
        sleep(Duration::from_millis(50));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let done = Done(child.wait_with_output().unwrap());
    done.ended_with(130);
    assert!(done.stdout().contains("The frontier of hard real time"), "{}", done.stdout());
    assert!(!frontiers(out).is_empty());
}

#[test]
fn one_size_is_asked_for_its_headroom() {
    let directory = tempdir().unwrap();
    let out = directory.path();
    let done = run(&line(out, "--size 4000 --budget 15s"));
    done.succeeded();
    // As many as show the size to hold, or as the budget has room for.
    assert!(matches!(*runs(out), [made] if made > 1), "{:?}", runs(out));
    for threads in ["1 thread", "2 threads"] {
        let told = format!("4 000 masses on {threads}: the worst");
        assert!(told_in(&done.stdout()).contains(&told), "{}", done.stdout());
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    for (line, reason) in [
        ("--budget 1s", "--budget"),
        ("--masses 400", "--masses"),
        ("--seconds 3", "--seconds"),
        ("--size 401", "--masses"),
        ("--rate 0Hz", "--rate"),
        ("--resolution 0%", "--resolution"),
        ("--hard --firm", "--firm"),
        ("--target nowhere", "--target"),
    ] {
        run(&format!("frontier {line}")).refuses(reason);
    }
}

/// A text without its line breaks.
fn told_in(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_model_that_spins_has_as_many_instances_as_its_period_has_room_for() {
    let directory = tempdir().unwrap();
    let out = directory.path();
    let fmu = models::fmu(Version::Two, Kind::CoSimulation, &[("SPIN_US", "4000")]);
    let typed = format!(
        "frontier --fmu {} --over instances --rate 20Hz --soft --held-for 500ms --budget 12s \
         {MODEST} --beside --out {}",
        fmu.display(),
        out.display()
    );
    run(&typed).succeeded();
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let frontier = &report["frontiers"][0];
    assert_eq!(frontier["over"], "instances");
    let line = &frontier["lines"][0];
    // 50 ms have room for 12; that others run beside it takes some of them.
    let missed = line["steps_fit"]["missed"]["value"].as_u64().unwrap();
    assert!((2..=13).contains(&missed), "{line}");
}

#[test]
fn a_library_has_no_frontier_over_its_instances() {
    let directory = tempdir().unwrap();
    let library = models::library(&[]);
    let done = run(&format!(
        "frontier --library {} --step plant_step --over instances --out {}",
        library.display(),
        directory.path().display()
    ));
    done.refuses("one state for all who call it");
}
