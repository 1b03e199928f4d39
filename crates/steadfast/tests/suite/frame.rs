//! Frames: everything that is due is accounted for in every process, and tasks that were moved away
//! get their CPUs back, however the run ends.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use crate::common::{
    Done, MODEST, all_end, awaited, children_of_runner, conserves, eventually, has_word,
    is_in_its_periods, is_root, kill, number, pid, run, send, start, unless_others_measure,
};
use base::{CpuSet, Policy};
use rt::thread::start_in;
use rt::{clock, sched};
use rustix::process::Signal;
use serde_json::Value;
use testing::{REAL_TIME, needs, skip};

/// Returns the rows of run times, one per process.
fn processes(run: &Value) -> Vec<&Value> {
    let rows = run["rows"].as_array().unwrap().iter();
    rows.filter(|row| !row["start_jitter_ns"].is_null()).collect()
}

#[test]
fn every_process_reports_every_figure() {
    let run = &run(&format!(
        "run frame --processes 2 --affinity free --rate 100Hz --fill 10% --calibration first \
         --seconds 1 {MODEST} --json"
    ))
    .succeeded()
    .first_run();
    let rows = processes(run);
    let labels: Vec<&str> = rows.iter().map(|row| row["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["1 of 2", "2 of 2"]);
    for row in &rows {
        assert_eq!(number(row, "due"), 100);
        conserves(row);
        let [least, most] = ["min_run_ns", "max_run_ns"].map(|name| number(row, name));
        let average = row["avg_run_ns"].as_f64().unwrap() as u64;
        assert!((least..=most).contains(&average), "{row}");
        assert_eq!(number(row, "run_jitter_ns"), most - least);
        assert_eq!(number(row, "start_plus_max_run_ns"), number(row, "start_jitter_ns") + most);
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
        "run frame --processes 2 --affinity free --rate 1kHz --fill 10% --seconds 5 {MODEST} --json"
    ));
    let stopped = children_of_runner(&program, 2)[0];
    // Peers answer and the work is calibrated first.
    is_in_its_periods(stopped);
    send(Signal::STOP, stopped);
    // A busy host delivers the signal late.
    eventually("the stop", || rt::process::is_stopped(pid(stopped)));
    sleep(Duration::from_secs(1));
    send(Signal::CONT, stopped);
    let run = &Done::at_end(program).succeeded().first_run();
    let rows = processes(run);
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(number(row, "due"), 5_000);
        conserves(row);
    }
    let most_skipped = rows.iter().map(|row| number(row, "skipped")).max();
    assert!(most_skipped >= Some(990), "{most_skipped:?}");
}

/// Takes a CPU away for 18 ms at the start of every second, at a priority above that of every frame,
/// until the program ends.
fn steal_from(cpu: usize, has_ended: &AtomicBool) {
    const SECOND: u64 = 1_000_000_000;
    sched::set_affinity(&CpuSet::one(cpu)).unwrap();
    sched::set_policy(Policy::Fifo(90)).unwrap();
    while !has_ended.load(Ordering::Relaxed) {
        let due = (clock::now() / SECOND + 1) * SECOND;
        clock::sleep_until(due);
        while clock::now() < due + 18_000_000 {}
    }
}

/// Whenever 18 ms are taken, a frame of 10 ms starts at least 8 ms late or runs that much longer. It
/// misses its deadline if its work takes more than 2 ms, and others do not if it takes less than
/// 9 ms: the CPU may become twice as fast or as slow after the work was calibrated to 4 ms.
#[test]
fn what_a_thief_takes_every_second_is_seen_where_it_was_taken() {
    let Some(()) = needs(sched::may_be_real_time(), REAL_TIME) else { return };
    unless_others_measure(|| {
        let cpu = sched::affinity().unwrap().iter().last().unwrap();
        let program = start(&format!(
            "run frame --cpus {cpu} --rate 100Hz --fill 40% --seconds 6 --policy fifo:50 --json"
        ));
        let has_ended = AtomicBool::new(false);
        let done = thread::scope(|scope| {
            let thief = start_in(scope, "thief", || steal_from(cpu, &has_ended)).unwrap();
            // What it prints may be longer than a pipe.
            let done = Done::at_end(program);
            has_ended.store(true, Ordering::Relaxed);
            thief.join().unwrap();
            done
        });
        let run = &done.succeeded().first_run();
        let row = processes(run)[0];
        let (start, run) = (number(row, "start_jitter_ns"), number(row, "run_jitter_ns"));
        assert!(start.max(run) > 7_000_000, "{row}");
        let misses = row["misses"].as_array().unwrap();
        let at: Vec<u64> = misses.iter().map(|miss| number(miss, "at_ns")).collect();
        let has_miss_near = |time: u64| at.iter().any(|miss| miss.abs_diff(time) <= 30_000_000);
        let every_second =
            |first: &&u64| (0..5).all(|k| has_miss_near(**first + k * 1_000_000_000));
        assert!(at.iter().find(every_second).is_some(), "{at:?}");
        assert!(number(row, "overruns") >= 5, "{row}");
    });
}

#[test]
fn a_process_that_dies_is_named_and_nothing_is_left_over() {
    let program =
        start(&format!("run frame --processes 2 --affinity free --fill 10% --seconds 5 {MODEST}"));
    let family = children_of_runner(&program, 2);
    // Numbers of processes start again at their limit: the first may have the higher one.
    let first = awaited("the first process", || {
        family.iter().find(|process| has_word(**process, "role-frame\x001\0"))
    });
    send(Signal::KILL, *first);
    Done::at_end(program).refuses("process 1 of 2 ended");
    all_end(&family);
}

#[test]
fn a_separate_peer_answers_and_a_silent_one_gives_no_result() {
    let mut echo = start("echo --listen 127.0.0.1:0");
    let mut printed = BufReader::new(echo.stdout.take().unwrap()).lines();
    let line = printed.next().unwrap().unwrap();
    let address = line.split([' ', ';']).nth(3).unwrap();
    let frames = format!("run frame --rate 100Hz --fill 10% --seconds 2 {MODEST} --json --peer");
    let answered = run(&format!("{frames} {address}")).succeeded().first_run();
    assert!(number(&answered, "replies_in_time") > 0, "{answered}");
    send(Signal::INT, echo.id());
    assert_eq!(echo.wait().unwrap().code(), Some(130));

    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap();
    let silent = format!("{frames} {}", nobody.local_addr().unwrap());
    let warnings = run(&silent).ended_with(1).first_run()["warnings"].to_string();
    assert!(warnings.contains("peer_silent") && warnings.contains("steadfast echo"));
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
        // Never panics: the test may be panicking already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the test below in a place where it sees no process but its own, so that moving everything
/// else away moves no process of others.
#[test]
fn what_was_moved_is_back_however_a_run_ends() {
    let apart = |program: &OsStr| {
        let mut unshare = Command::new("unshare");
        unshare.args(["--pid", "--fork", "--mount-proc"]).arg(program);
        unshare
    };
    let may = apart("true".as_ref()).output();
    if !is_root() || !may.is_ok_and(|done| done.status.success()) {
        return skip("needs the right to number processes anew (root, unshare)");
    }
    let Some(()) = needs(rt::topology::usable().len() > 1, "two CPUs") else { return };
    let mut this = apart(std::env::current_exe().unwrap().as_os_str());
    this.args(["--exact", "frame::inside_back_however_a_run_ends", "--ignored", "--nocapture"]);
    let printed = Done::of_unmeasured(this).succeeded().stdout();
    assert!(printed.contains("1 passed"), "{printed}");
}

#[test]
#[ignore = "started by the test above, alone"]
fn inside_back_however_a_run_ends() {
    let victim = Victim::start();
    let before = victim.cpus();
    // Starts frames on one CPU, with everything else moved off it.
    let moving = |seconds: u32| {
        let program = start(&format!(
            "run frame --rate 100Hz --fill 10% --seconds {seconds} --others moved {MODEST} --json"
        ));
        eventually("the move of the victim", || victim.cpus() != before);
        program
    };

    let done = Done::at_end(moving(3)).succeeded();
    assert_eq!(victim.cpus(), before);
    let others = &done.first_run()["conditions"]["found"]["others"];
    assert!(number(others, "moved") >= 1, "{others}");
    assert_eq!(number(others, "refused"), 0);
    assert!(number(others, "given_back") >= 1, "{others}");

    let interrupted = moving(60);
    send(Signal::INT, interrupted.id());
    Done::at_end(interrupted).ended_with(130);
    assert_eq!(victim.cpus(), before);

    let mut killed = moving(60);
    let family = children_of_runner(&killed, 1);
    kill(&mut killed);
    all_end(&family);
    assert_ne!(victim.cpus(), before, "no process is left to restore it");

    let next = run(&format!("run wakeup --seconds 0.1 {MODEST}")).succeeded();
    assert_eq!(victim.cpus(), before);
    let restored = next.restored();
    assert_eq!(restored.matches("a killed run").count(), 1, "{restored}");
    let again = run(&format!("run wakeup --seconds 0.1 {MODEST}"));
    assert!(!again.restored().contains("a killed run"), "{}", again.restored());
}
