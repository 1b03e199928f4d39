//! Loads: each one's work is counted, and none survives its run or ends before it.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{
    Done, MODEST, all_end, awaited, children, descendants, eventually, kill, lives, run, runner_of,
    send, steadfast, unless_others_measure,
};
use rustix::process::Signal;
use serde_json::Value;
use testing::skip;

/// A directory on a disk, which a temporary directory might not be.
const ON_DISK: &str = env!("CARGO_TARGET_TMPDIR");
const EVERY_KIND: [&str; 6] =
    ["cpu", "memory", concat!("disk:", env!("CARGO_TARGET_TMPDIR")), "network", "user", "kernel"];

/// Returns a run of `wakeup` with a load, which may contain blanks.
fn with_load(load: &str, seconds: &str) -> Command {
    let mut command = steadfast(&format!("run wakeup --seconds {seconds} {MODEST} --json"));
    // What a killed guard cannot remove must not disturb others.
    command.args(["--load", load]).env("TMPDIR", ON_DISK);
    command
}

fn started(load: &str, seconds: &str) -> Child {
    with_load(load, seconds).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns the load processes of a program that is measuring beside at least so many.
fn load_processes(program: &Child, least: usize) -> Vec<u32> {
    let runner = runner_of(program.id());
    // The thread that measures starts after every load.
    eventually("the start of the measurement", || has_thread(runner, "CPU "));
    assert!(children(runner).len() >= least);
    sleep(Duration::from_millis(200));
    children(runner)
}

fn family_of(process: u32, least: usize) -> Vec<u32> {
    awaited("its descendants", || Some(descendants(process)).filter(|family| family.len() >= least))
}

fn has_thread(process: u32, name: &str) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let names = threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
    names.into_iter().any(|own| own.starts_with(name))
}

/// Asserts that a warning of the program's run, which is INVALID, has all of these words.
fn is_invalid(program: Child, words: &[&[&str]]) {
    let run = &Done::at_end(program).ended_with(1).first_run();
    assert_eq!(run["valid"], false);
    let warnings = run["warnings"].as_array().unwrap();
    for words in words {
        let has_all = |text: String| words.iter().all(|word| text.contains(word));
        let is_named = warnings.iter().any(|warning| has_all(warning.to_string()));
        assert!(is_named, "{words:?}: {warnings:?}");
    }
}

fn found(run: &Value) -> Vec<(String, String, u64)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let loads = run["conditions"]["found"]["loads"].as_array().unwrap();
    loads
        .iter()
        .map(|l| (text(&l["name"]), text(&l["cpus"]), l["work_done"].as_u64().unwrap()))
        .collect()
}

fn has_stress_ng() -> bool {
    let has = Command::new("stress-ng").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has {
        skip("needs stress-ng (apt install stress-ng)");
    }
    has
}

#[test]
fn every_load_shows_its_work() {
    // A disk that is busy with other work may leave its load without any for seconds, also at the start.
    let mut idle = String::new();
    for seconds in ["5", "15", "45"] {
        idle = without_work(seconds);
        if idle.is_empty() {
            return;
        }
    }
    panic!("{idle}");
}

/// Runs every kind of load, and says which did not start or did nothing.
fn without_work(seconds: &str) -> String {
    let done = Done::of(with_load(&EVERY_KIND.join(","), seconds));
    if done.stdout().contains("load_not_started") {
        return format!("a load did not start in a run of {seconds} s");
    }
    let run = &done.succeeded().first_run();
    assert_eq!(run["conditions"]["requested"]["loads"], serde_json::json!(EVERY_KIND));
    let found = found(run);
    for load in EVERY_KIND {
        assert!(found.iter().any(|(name, ..)| name == load), "{load}");
    }
    found.iter().filter(|(.., done)| *done == 0).map(|(name, ..)| format!("{name} ")).collect()
}

#[test]
fn intensity_and_cpus_are_kept() {
    // A load of 1 % may get no turn in a run of two seconds while other programs have its CPU, and
    // the whole one only a part of what it would have alone.
    let done = Done::of(with_load("cpu@0,cpu%5@0", "4")).succeeded();
    let found = found(&done.first_run());
    let [(full, full_cpus, much), (paced, paced_cpus, little)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!((full.as_str(), paced.as_str()), ("cpu@0", "cpu%5@0"));
    assert_eq!((full_cpus.as_str(), paced_cpus.as_str()), ("0", "0"));
    assert!(*much > 3 * little, "{much} and {little}");
}

#[test]
fn a_load_whose_process_is_killed_makes_the_run_invalid() {
    let program = started(&EVERY_KIND.join(","), "3");
    for process in load_processes(&program, EVERY_KIND.len()) {
        send(Signal::KILL, process);
    }
    let named = EVERY_KIND.map(|load| ["load_ended", "signal: 9", load]);
    is_invalid(program, &named.each_ref().map(|words| &words[..]));
}

#[test]
fn a_load_that_is_stopped_makes_the_run_invalid() {
    let program = started("cpu", "3");
    send(Signal::STOP, load_processes(&program, 1)[0]);
    is_invalid(program, &[&["load_stalled", "stopped working"]]);
}

#[test]
fn a_load_that_was_stopped_for_most_of_a_run_makes_it_invalid() {
    unless_others_measure(|| {
        let program = started("cpu", "4");
        let load = load_processes(&program, 1)[0];
        send(Signal::STOP, load);
        sleep(Duration::from_millis(2_300));
        send(Signal::CONT, load);
        is_invalid(program, &[&["load_paused", "% of the run"]]);
    });
}

#[test]
fn a_load_that_cannot_be_had_makes_the_run_invalid() {
    let unwritable = with_load("disk:/proc", "1").stdout(Stdio::piped()).spawn();
    is_invalid(unwritable.unwrap(), &[&["load_not_started", "/proc: "]]);
    let not_installed =
        with_load("stress-ng:--cpu 1", "1").env("PATH", "/nowhere").stdout(Stdio::piped()).spawn();
    is_invalid(
        not_installed.unwrap(),
        &[&["load_not_started", "install the package of that name"]],
    );
}

#[test]
fn a_flood_ping_says_what_it_needs_or_works() {
    let done = Done::of(with_load("network@0:icmp", "2"));
    let run = &done.first_run();
    if done.code() == 0 {
        assert!(found(run).iter().all(|(.., done)| *done > 0), "{run}");
    } else {
        let warnings = run["warnings"].to_string();
        assert!(warnings.contains("ping_group_range"), "{warnings}");
    }
}

#[test]
fn stress_ng_is_missed_when_any_part_of_it_is_killed() {
    if !has_stress_ng() {
        return;
    }
    let parts: [fn(u32) -> u32; 3] =
        [|guard| guard, |guard| children(guard)[0], |guard| children(children(guard)[0])[0]];
    for part in parts {
        let program = started("stress-ng:--cpu 2 --fork 1", "5");
        let guard = load_processes(&program, 1)[0];
        let family = family_of(guard, 4);
        send(Signal::KILL, part(guard));
        is_invalid(program, &[&["load_ended", "stress-ng:--cpu 2 --fork 1"]]);
        all_end(&family);
    }
}

#[test]
fn stress_ng_works_and_ends_with_the_run() {
    if !has_stress_ng() {
        return;
    }
    let program = started("stress-ng:--cpu 1 --vm 1 --vm-bytes 4M", "6");
    let family = descendants(load_processes(&program, 1)[0]);
    let done = Done::at_end(program).succeeded();
    assert!(found(&done.first_run())[0].2 > 0);
    assert!(!family.iter().any(|p| lives(*p)), "{family:?}");

    let mut program = started("stress-ng:--cpu 1 --hdd 1 --hdd-bytes 1M", "60");
    load_processes(&program, 1);
    let family = family_of(program.id(), 5);
    kill(&mut program);
    all_end(&family);
}

#[test]
fn bursts_end_with_the_time_beside_a_load_that_makes_them_long() {
    let line = format!("run task_switch semaphore_shuffle --seconds 1 --load cpu {MODEST} --json");
    for run in run(&line).succeeded().json() {
        let [made, planned, due, executed, skipped] =
            ["bursts_made", "bursts_planned", "due", "executed", "skipped"]
                .map(|name| run[name].as_u64().unwrap());
        // Each yield waits for a time slice of the load: 500 of them fill the second.
        assert!((1..planned).contains(&made), "{made} of {planned}");
        assert!(executed > 0 && due == executed + skipped, "{run}");
    }
}
