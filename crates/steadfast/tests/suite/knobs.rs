//! Settings that runs try are restored however a run ends. All of it is one test, because two runs
//! that change settings at the same time wait for each other.

use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{
    Done, all_end, as_ordinary_user, awaited, children, descendants, eventually, has_word, kill,
    open_folder, pid, role, run, send, wakeup_spec,
};
use base::Nanos;
use record::{KnobFound, Recording, Room, Tried, read_recording};
use rustix::process::{Signal, kill_process_group};
use serde_json::Value;
use testing::{REAL_TIME, needs, skip};

/// Harmless settings, each with a value that is rare.
const HARMLESS: &[(&str, &str, &str)] = &[
    ("swappiness", "/proc/sys/vm/swappiness", "11"),
    ("stat_interval", "/proc/sys/vm/stat_interval", "7"),
    ("compaction", "/proc/sys/vm/compaction_proactiveness", "3"),
    ("hung_task", "/proc/sys/kernel/hung_task_timeout_secs", "601"),
];

const SHORT: Nanos = Nanos(100_000_000);
/// Of a run that is killed: settings stand until then, however late that is.
const LONG: Nanos = Nanos(60_000_000_000);

fn standing() -> Vec<String> {
    let read = |(_, path, _): &(&str, &str, &str)| fs::read_to_string(path).unwrap_or_default();
    HARMLESS.iter().map(read).collect()
}

fn tried(knob: &str, value: &str) -> Tried {
    Tried { knob: knob.to_owned(), value: Some(value.to_owned()) }
}

fn harmless() -> Vec<Tried> {
    HARMLESS.iter().map(|(knob, _, value)| tried(knob, value)).collect()
}

fn start(duration: Nanos, tried: Vec<Tried>) -> Child {
    let mut runner = role("role-runner")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let spec = serde_json::to_vec(&wakeup_spec(duration, tried)).unwrap();
    runner.stdin.take().unwrap().write_all(&spec).unwrap();
    runner
}

fn recorded(tried: Vec<Tried>) -> Recording {
    let done = start(SHORT, tried).wait_with_output().unwrap();
    read_recording(&mut done.stdout.as_slice(), Room::for_values(1 << 20)).unwrap()
}

fn guard_of(runner: &Child) -> u32 {
    awaited("the start of a guard", || {
        children(runner.id()).into_iter().find(|child| has_word(*child, runner::GUARD))
    })
}

fn until_set(before: &[String], moment: u64) {
    eventually("a change of settings", || standing() != before);
    sleep(Duration::from_millis(moment));
}

#[test]
fn settings_are_restored_however_a_run_ends() {
    let may_write =
        |(_, path, _): &(&str, &str, &str)| fs::OpenOptions::new().write(true).open(path).is_ok();
    let may = HARMLESS.iter().all(may_write);
    let Some(()) = needs(may, "the right to write settings (root)") else { return };
    let before = standing();
    if run("knobs back").stdout().contains("in progress") {
        return skip("needs a machine where no other run tries settings");
    }

    let recording = recorded(harmless());
    for (knob, _, value) in HARMLESS {
        let found = recording.found.knobs.iter().find(|found| found.knob == *knob);
        let KnobFound { asked, during, at_end, given_back, .. } =
            found.unwrap_or_else(|| panic!("{knob}: {:?}", recording.warnings));
        assert_eq!([asked, during, at_end], [value; 3], "{knob}");
        assert!(given_back, "{knob}");
    }
    assert_eq!(standing(), before);

    for moment in [0, 70, 400] {
        // Its guard restores what a runner leaves, even if its whole group is killed.
        for whole_group in [false, true] {
            let mut runner = start(LONG, harmless());
            let guard = guard_of(&runner);
            until_set(&before, moment);
            if whole_group {
                kill_process_group(pid(runner.id()), Signal::KILL).unwrap();
            }
            kill(&mut runner);
            all_end(&[guard]);
            assert_eq!(standing(), before, "after {moment} ms, group: {whole_group}");
        }
    }
    // Without its guard, the next command restores it: this test's, or one of another test.
    let is_reported = |moment| {
        let mut runner = start(LONG, harmless());
        let guard = guard_of(&runner);
        until_set(&before, moment);
        let family = descendants(runner.id());
        send(Signal::KILL, guard);
        kill(&mut runner);
        all_end(&family);
        let restored = run("list").restored();
        eventually("the restored settings", || standing() == before);
        restored.contains("Restored swappiness, which a killed")
    };
    let reported = [0, 70, 400].map(is_reported);
    assert!(reported.contains(&true) || (0..20).any(|_| is_reported(0)));
    assert!(run("knobs back").stdout().contains("All settings are restored"));
}

#[test]
fn a_disturbance_of_known_size_is_there_for_the_whole_run() {
    let Some(()) = needs(rt::sched::may_be_real_time(), REAL_TIME) else { return };
    let recording = recorded(vec![tried("known", "200us/5ms")]);
    let found = &recording.found.knobs[0];
    assert_eq!(found.before, "none");
    assert_eq!([&*found.during, &*found.at_end], ["200us/5ms"; 2]);
}

#[test]
fn an_unknown_knob_is_refused_in_one_line() {
    let mut runner = start(SHORT, vec![tried("nonsense", "1")]);
    assert_eq!(runner.wait().unwrap().code(), Some(2));
}

#[test]
fn the_list_says_what_is_here_and_an_ordinary_user_what_is_out_of_reach() {
    let list =
        Done::of(as_ordinary_user(&open_folder(), "", "knobs --json")).succeeded().document();
    let knobs = list["knobs"].as_array().unwrap();
    let of = |name: &str| knobs.iter().find(|knob| knob["name"] == name).unwrap();
    assert_eq!(of("swappiness")["out_of_reach"], "needs root");
    assert_eq!(of("timer")["out_of_reach"], Value::Null);
    run("knobs").succeeded();
}
