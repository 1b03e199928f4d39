//! Killed at any moment: finished runs are there, and nothing is left over.

mod common;

use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};

use common::{MODEST, children, eventually, lives, pid, run, steadfast};
use rustix::process::{Signal, kill_process, kill_process_group};

/// Four runs of half a second with load, in a process group of their own.
fn start(store: &str) -> Child {
    steadfast(&format!(
        "run wakeup --period 1ms,2ms,4ms,5ms --seconds 0.5 --load cpu {MODEST} --store {store} --json"
    ))
    .stdout(Stdio::null())
    .stderr(Stdio::null())
    .process_group(0)
    .spawn()
    .unwrap()
}

/// The runner and its load processes, once all are there.
fn family(program: &Child) -> Vec<u32> {
    let mut family = Vec::new();
    eventually("the start of a load", || {
        let runners = children(program.id());
        let loads: Vec<u32> = runners
            .iter()
            .flat_map(|runner| children(*runner))
            .collect();
        family = [runners, loads.clone()].concat();
        !loads.is_empty()
    });
    family
}

fn finished_runs(store: &str) -> usize {
    let report = run(&format!("report {store} --json"));
    let json: serde_json::Value = serde_json::from_str(&report.stdout()).unwrap_or_default();
    json["runs"].as_array().map_or(0, Vec::len)
}

#[test]
fn the_whole_group_killed_leaves_the_finished_runs_and_no_process() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("results.db").display().to_string();
    let mut program = start(&store);
    eventually("the first finished run", || finished_runs(&store) >= 1);
    let family = family(&program);
    kill_process_group(pid(program.id()), Signal::KILL).unwrap();
    program.wait().unwrap();
    eventually("the end of every process", || {
        !family.iter().any(|p| lives(*p))
    });
    assert!(finished_runs(&store) >= 1);
}

#[test]
fn the_program_killed_alone_takes_its_runner_and_loads_along() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("results.db").display().to_string();
    let mut program = start(&store);
    let family = family(&program);
    kill_process(pid(program.id()), Signal::KILL).unwrap();
    program.wait().unwrap();
    eventually("the end of every process", || {
        !family.iter().any(|p| lives(*p))
    });
}

#[test]
fn ctrl_c_keeps_what_is_done() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("results.db").display().to_string();
    let mut program = start(&store);
    eventually("the first finished run", || finished_runs(&store) >= 1);
    kill_process_group(pid(program.id()), Signal::INT).unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(130));
    assert!((1..4).contains(&finished_runs(&store)));
}
