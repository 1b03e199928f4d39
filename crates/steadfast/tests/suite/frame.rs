//! Frames: everything that is due is accounted for in every process, and tasks that were moved away
//! get their CPUs back, however the run ends.

use std::fs;
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Done, MODEST, children, eventually, is_root, lives, run, steadfast};
use rt::{clock, sched};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use testing::skip;
use units::{CpuSet, Policy};

fn pid(process: u32) -> Pid {
    Pid::from_raw(i32::try_from(process).unwrap()).unwrap()
}

/// Returns the rows of run times, one per process.
fn processes(run: &Value) -> Vec<&Value> {
    let rows = run["rows"].as_array().unwrap().iter();
    rows.filter(|row| !row["start_jitter_ns"].is_null()).collect()
}

fn number(row: &Value, name: &str) -> u64 {
    row[name].as_u64().unwrap_or_else(|| panic!("{name} is a number in {row}"))
}

fn start(line: &str) -> Child {
    steadfast(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the frame processes of a program, once all of them exist.
fn frame_processes(program: &Child, count: usize) -> Vec<u32> {
    let mut found = Vec::new();
    eventually("the start of every frame process", || {
        let runners = children(program.id());
        found = runners.iter().flat_map(|runner| children(*runner)).collect();
        found.len() == count
    });
    found
}

#[test]
fn every_process_reports_every_figure() {
    let done = run(&format!(
        "run frame --processes 2 --affinity free --rate 100Hz --fill 10 --calibration first \
         --seconds 1 {MODEST} --json"
    ));
    done.succeeded();
    let run = &done.json()[0];
    let rows = processes(run);
    let labels: Vec<&str> = rows.iter().map(|row| row["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["1 of 2", "2 of 2"]);
    for row in &rows {
        assert_eq!(number(row, "due"), 100);
        assert_eq!(number(row, "due"), number(row, "executed") + number(row, "skipped"));
        let run = ["min_run_ns", "max_run_ns"].map(|name| number(row, name));
        let average = row["avg_run_ns"].as_f64().unwrap() as u64;
        assert!(run[0] <= average && average <= run[1], "{row}");
        assert_eq!(number(row, "run_jitter_ns"), run[1] - run[0]);
        assert_eq!(number(row, "start_plus_max_run_ns"), number(row, "start_jitter_ns") + run[1]);
        let replies = ["replies_in_time", "replies_late", "replies_lost"];
        let replies: u64 = replies.iter().map(|name| number(row, name)).sum();
        assert_eq!(replies, number(row, "datagrams_sent"));
        assert!(row["marks"].is_array() && row["strip"].is_array());
    }
    let work = ["integer_iterations", "floating_iterations"];
    let work = |row| work.map(|name| number(row, name));
    assert_eq!(work(rows[0]), work(rows[1]));
    let threads = run["conditions"]["found"]["threads"].as_array().unwrap();
    let names: Vec<&Value> = threads.iter().map(|thread| &thread["name"]).collect();
    assert_eq!(names, ["1 of 2", "2 of 2"]);
}

#[test]
fn a_stopped_process_accounts_for_every_frame_and_so_does_its_neighbour() {
    let program = start(&format!(
        "run frame --processes 2 --affinity free --rate 1kHz --fill 10 --seconds 4 {MODEST} --json"
    ));
    let stopped = pid(frame_processes(&program, 2)[0]);
    sleep(Duration::from_millis(1500));
    kill_process(stopped, Signal::STOP).unwrap();
    sleep(Duration::from_secs(1));
    kill_process(stopped, Signal::CONT).unwrap();
    let done = Done(program.wait_with_output().unwrap());
    done.succeeded();
    let run = &done.json()[0];
    let rows = processes(run);
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(number(row, "due"), 4000);
        assert_eq!(number(row, "due"), number(row, "executed") + number(row, "skipped"));
    }
    let most_skipped = rows.iter().map(|row| number(row, "skipped")).max();
    assert!(most_skipped >= Some(990), "{most_skipped:?}");
}

/// Takes a CPU away for 8 ms at the start of every second, at a priority above that of every frame,
/// until the program ends.
fn steal_from(cpu: usize, program: &mut Child) {
    const SECOND: u64 = 1_000_000_000;
    sched::set_affinity(&CpuSet::one(cpu)).unwrap();
    sched::set_policy(Policy::Fifo(90)).unwrap();
    while program.try_wait().unwrap().is_none() {
        let due = (clock::now() / SECOND + 1) * SECOND;
        clock::sleep_until(due);
        while clock::now() < due + 8_000_000 {}
    }
    sched::leave_real_time().unwrap();
}

#[test]
fn what_a_thief_takes_every_second_is_seen_where_it_was_taken() {
    if !sched::may_be_real_time() {
        skip("needs the right to use real-time policies (CAP_SYS_NICE)");
        return;
    }
    let cpu = sched::affinity().unwrap().iter().last().unwrap();
    // The work is calibrated once, so 75 % leaves room for a CPU that gets slower later, which
    // would otherwise reach the share that the kernel grants.
    let mut program = start(&format!(
        "run frame --cpus {cpu} --rate 100Hz --fill 75% --seconds 6 --policy fifo:50 --json"
    ));
    steal_from(cpu, &mut program);
    let done = Done(program.wait_with_output().unwrap());
    done.succeeded();
    let run = &done.json()[0];
    let row = processes(run)[0];
    // Wherever in a frame 8 ms are taken, it or the next one no longer fits: it starts late, or
    // runs longer, by at least about 5 ms.
    let (start, run) = (number(row, "start_jitter_ns"), number(row, "run_jitter_ns"));
    assert!(start.max(run) > 4_000_000, "{row}");
    let misses = row["misses"].as_array().unwrap();
    let at: Vec<u64> = misses.iter().map(|miss| number(miss, "at_ns")).collect();
    let has_miss_near = |time: u64| at.iter().any(|miss| miss.abs_diff(time) <= 30_000_000);
    let every_second = |first: &&u64| (0..5).all(|k| has_miss_near(**first + k * 1_000_000_000));
    assert!(at.iter().find(every_second).is_some(), "{at:?}");
    assert!(number(row, "overruns") >= 5, "{row}");
}

#[test]
fn a_process_that_dies_is_named_and_nothing_is_left_over() {
    let program =
        start(&format!("run frame --processes 2 --affinity free --fill 10 --seconds 5 {MODEST}"));
    let family = frame_processes(&program, 2);
    kill_process(pid(family[0]), Signal::KILL).unwrap();
    let done = Done(program.wait_with_output().unwrap());
    done.refuses("process 1 of 2 ended");
    eventually("the end of every process", || !family.iter().any(|process| lives(*process)));
}

#[test]
fn a_separate_peer_answers_and_a_silent_one_gives_no_result() {
    let mut echo = start("echo --listen 127.0.0.1:0");
    let mut printed = std::io::BufReader::new(echo.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut printed, &mut line).unwrap();
    let address = line.split([' ', ';']).nth(3).unwrap();
    let frames = format!("run frame --rate 100Hz --fill 10 --seconds 0.5 {MODEST} --json --peer");
    let done = run(&format!("{frames} {address}"));
    done.succeeded();
    let run_json = &done.json()[0];
    assert!(number(run_json, "replies_in_time") > 0, "{run_json}");
    kill_process(pid(echo.id()), Signal::INT).unwrap();
    assert_eq!(echo.wait().unwrap().code(), Some(130));

    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap();
    let done = run(&format!("{frames} {}", nobody.local_addr().unwrap()));
    done.ended_with(1);
    let warnings = done.json()[0]["warnings"].to_string();
    assert!(warnings.contains("peer_silent") && warnings.contains("steadfast echo"));
}

/// Runs an otherwise ignored test of this file in a place where it sees no process but its own, so
/// that moving everything else away moves no process of others.
fn alone(test: &str) {
    let mut inside = Command::new("unshare");
    inside.args(["--pid", "--fork", "--mount-proc"]).arg(std::env::current_exe().unwrap()).args([
        "--exact",
        test,
        "--ignored",
        "--nocapture",
    ]);
    let may = Command::new("unshare").args(["--pid", "--fork", "--mount-proc", "true"]).output();
    if !is_root() || !may.is_ok_and(|done| done.status.success()) {
        skip("needs the right to number processes anew (root, unshare)");
        return;
    }
    let done = Done(inside.output().unwrap());
    let printed = done.stdout();
    assert!(done.0.status.success(), "{printed}\n{}", done.stderr());
    assert!(printed.contains("1 passed"), "{printed}");
}

/// Another user's process, which may run on every CPU.
struct Victim(Child);

impl Victim {
    fn start() -> Self {
        Self(Command::new("sleep").arg("1000").spawn().unwrap())
    }

    fn cpus(&self) -> String {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:"));
        line.unwrap().trim().to_owned()
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts frames on one CPU for a long time, with everything else moved off it.
fn long_run_alone() -> Child {
    start(&format!("run frame --rate 100Hz --fill 10 --seconds 60 --others moved {MODEST}"))
}

fn needs_two_cpus() -> bool {
    let one = rt::topology::usable().len() < 2;
    if one {
        skip("needs two CPUs");
    }
    one
}

#[test]
fn what_was_moved_is_back_after_a_run() {
    alone("frame::inside_back_after_a_run");
}

#[test]
#[ignore = "started by the test above, alone"]
fn inside_back_after_a_run() {
    if needs_two_cpus() {
        return;
    }
    let victim = Victim::start();
    let before = victim.cpus();
    let line =
        format!("run frame --rate 100Hz --fill 10 --seconds 1 --others moved {MODEST} --json");
    let program = start(&line);
    eventually("the move of the victim", || victim.cpus() != before);
    let done = Done(program.wait_with_output().unwrap());
    done.succeeded();
    assert_eq!(victim.cpus(), before);
    let others = &done.json()[0]["conditions"]["found"]["others"];
    assert!(number(others, "moved") >= 1, "{others}");
    assert_eq!(number(others, "refused"), 0);
    assert!(number(others, "given_back") >= 1, "{others}");
}

#[test]
fn what_was_moved_is_back_after_ctrl_c() {
    alone("frame::inside_back_after_ctrl_c");
}

#[test]
#[ignore = "started by the test above, alone"]
fn inside_back_after_ctrl_c() {
    if needs_two_cpus() {
        return;
    }
    let victim = Victim::start();
    let before = victim.cpus();
    let program = long_run_alone();
    eventually("the move of the victim", || victim.cpus() != before);
    kill_process(pid(program.id()), Signal::INT).unwrap();
    let done = Done(program.wait_with_output().unwrap());
    done.ended_with(130);
    assert_eq!(victim.cpus(), before);
}

#[test]
fn what_was_moved_is_back_after_the_start_that_follows_a_kill() {
    alone("frame::inside_back_after_a_kill");
}

#[test]
#[ignore = "started by the test above, alone"]
fn inside_back_after_a_kill() {
    if needs_two_cpus() {
        return;
    }
    let victim = Victim::start();
    let before = victim.cpus();
    let mut program = long_run_alone();
    let family = frame_processes(&program, 1);
    eventually("the move of the victim", || victim.cpus() != before);
    kill_process(pid(program.id()), Signal::KILL).unwrap();
    program.wait().unwrap();
    eventually("the end of every process", || !family.iter().any(|process| lives(*process)));
    assert_ne!(victim.cpus(), before, "no process is left to restore it");

    let next = run(&format!("run wakeup --seconds 0.1 {MODEST}"));
    next.succeeded();
    assert_eq!(victim.cpus(), before);
    let printed = next.stderr();
    assert_eq!(printed.matches("killed run").count(), 1, "{printed}");
    let again = run(&format!("run wakeup --seconds 0.1 {MODEST}"));
    assert!(!again.stderr().contains("killed run"), "{}", again.stderr());
}
