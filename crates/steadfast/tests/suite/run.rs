//! `steadfast run`: what it prints is consistent.

use crate::common::{
    Done, Folder, MODEST, PROGRAM, as_ordinary_user, at_home, by_other, conserves, eventually,
    is_in_its_periods, is_root, number, open_folder, pid, real_time, run, runner_of, send, start,
    unwrapped,
};
use rt::topology;
use rustix::process::Signal;
use serde_json::Value;
use std::thread::sleep;
use std::time::Duration;
use tempfile::tempdir;
use testing::{Refused, refusing, skip, within_tries};

#[test]
fn a_wakeup_under_fifo_reports_everything() {
    let Some(()) = real_time() else { return };
    let line = "run wakeup --period 1ms --seconds 1 --policy fifo:80 --cpus 0 --json";
    let run = &run(line).succeeded().first_run();
    conserves(run);
    assert_eq!(number(run, "due"), 1000);
    assert_eq!(run["valid"], true);
    assert_eq!(run["conditions"]["requested"]["policy"], "fifo:80");
    let thread = &run["conditions"]["found"]["threads"][0];
    assert_eq!((&thread["policy"], &thread["cpus"]), (&"fifo:80".into(), &"0".into()));
    assert_eq!(run["conditions"]["found"]["system"]["cpu_dma_latency_us"], 0);
    let rising = ["min_ns", "p50_ns", "p99_ns", "p999_ns", "max_ns"].map(|name| number(run, name));
    assert!(rising.is_sorted(), "{rising:?}");
    assert!(number(run, "max_at_ns") < 1_000_000_000);
}

#[test]
fn the_steps_of_a_tire_are_recorded_and_the_run_says_that_this_takes_time() {
    let folder = Folder::new();
    let line = "run tire --masses 40 --threads 1 --steps 10 --json --record steps.csv";
    let reported = folder.run(line).succeeded().first_run()["warnings"].to_string();
    assert!(reported.contains("recorded after every step"), "{reported}");
    let text = folder.read("steps.csv");
    assert!(text.starts_with("# tire other, "), "{text}");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.count(), 1 + 11 * 40);
    std::fs::remove_file(folder.path("steps.csv")).unwrap();
    folder.run(&format!("{line} --repeat 2")).refuses("2 runs cannot go into one file");
    folder.run(&format!("{line}/none.csv")).refuses("does not exist");
    assert!(!folder.path("steps.csv").exists());
}

/// Runs a typed line whose runner is stopped for a second, soon after its first periods.
fn stopped_for_a_second(line: &str) -> Value {
    let program = start(line);
    let runner = runner_of(program.id());
    is_in_its_periods(runner);
    send(Signal::STOP, runner);
    // A busy host delivers the signal late.
    eventually("the stop", || rt::process::is_stopped(pid(runner)));
    sleep(Duration::from_secs(1));
    send(Signal::CONT, runner);
    Done::at_end(program).first_run()
}

#[test]
fn a_second_of_standstill_is_accounted_for_period_by_period() {
    let tire = "tire --mode real-time --rate 1kHz --steps 4000 --masses 40 --threads 1";
    for line in ["wakeup --period 1ms --seconds 4", tire] {
        let line = format!("run {line} {MODEST} --json");
        // A busy host that goes on late leaves a part of the stop behind the last period. A quarter
        // of all periods falls into the standstill, more than half of these by more than 300 ms.
        let is_whole = |run: &Value| {
            number(run, "skipped") >= 990
                && number(run, "max_ns") >= 990_000_000
                && number(run, "p90_ns") >= 300_000_000
        };
        let run = within_tries(3, || stopped_for_a_second(&line), is_whole);
        conserves(&run);
        assert_eq!(number(&run, "due"), 4000);
    }
}

#[test]
fn without_the_right_to_fifo_a_run_is_invalid_and_names_the_command() {
    let folder = open_folder();
    if !is_root() && real_time().is_some() {
        return skip("this user has the right to FIFO");
    }
    let line = "run wakeup --seconds 0.2 --policy fifo:80 --json";
    let run = &Done::of(as_ordinary_user(&folder, "", line)).ended_with(1).first_run();
    assert_eq!(run["valid"], false);
    let remedies = run["warnings"].to_string();
    let is_named = ["sudo", "run as root"].iter().any(|way| remedies.contains(way));
    assert!(is_named && remedies.contains("fifo:80"), "{remedies}");
    conserves(run);

    let line = format!("run wakeup --seconds 0.2 {MODEST} --json");
    let modest = Done::of(as_ordinary_user(&folder, "", &line)).succeeded();
    assert_eq!(modest.first_run()["valid"], true);
}

#[test]
fn a_right_that_only_a_filter_of_system_calls_refuses_is_granted_without_the_filter() {
    let Some(()) = real_time() else { return };
    let folder = tempdir().unwrap();
    let filtered = |line: &str| {
        let mut command = refusing(folder.path(), Refused::Rights, PROGRAM);
        at_home(&mut command);
        command.args(line.split(' ')).current_dir(folder.path());
        Done::of(command)
    };
    let run = filtered("run wakeup --seconds 0.1 --json").ended_with(1).first_run();
    let remedies = run["warnings"].to_string();
    assert!(remedies.contains("start it without its filter of system calls"), "{remedies}");
    let doctor = filtered("doctor --json").document();
    for name in ["real_time_priority", "memory_lock"] {
        let findings = doctor["findings"].as_array().unwrap();
        let found = findings.iter().find(|one| one["name"] == name).unwrap();
        let change = found["change"].as_str().unwrap();
        assert!(change.starts_with("start it without its filter of system calls"), "{found}");
    }
}

#[test]
fn a_deadline_policy_that_a_narrow_affinity_refuses_comes_with_what_permits_it() {
    let Some(()) = real_time() else { return };
    if topology::usable().len() < 2 {
        return skip("needs two CPUs");
    }
    let mut command = by_other("taskset");
    let line = "run wakeup --seconds 0.2 --policy deadline:200us/1ms --json";
    command.args(["-c", "0", PROGRAM]).args(line.split(' '));
    let run = Done::of(command).ended_with(1).first_run();
    let warnings = run["warnings"].to_string();
    assert!(warnings.contains("the kernel refused policy deadline:200us/1ms"), "{warnings}");
    assert!(
        warnings.contains("use every CPU (no `--cpus`, `taskset` or `CPUAffinity=`"),
        "{warnings}"
    );
}

#[test]
fn progress_keeps_to_the_columns_of_a_terminal() {
    let long = "--timer interval --period 1001us --load cpu%1@0+memory%1@0+kernel%1@0";
    let done = run(&format!("run wakeup {long} --seconds 0.02 {MODEST} --beside"));
    let stderr = done.stderr();
    let words = unwrapped(&stderr);
    assert!(words.starts_with("[1/1] wakeup") && words.contains(" left)"), "{stderr}");
    assert!(words.chars().count() > 80, "it is worth a second line: {stderr}");
    assert!(stderr.lines().all(|line| line.chars().count() <= 80), "{stderr}");
}
