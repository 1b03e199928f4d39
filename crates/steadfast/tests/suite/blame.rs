//! `--blame` names what made a measurement late, with the time that it took.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::groups::Group;
use crate::common::{
    Done, MODEST, all_end, as_ordinary_user, eventually, is_in_its_periods, kill, number,
    open_folder, pid, piped, real_time, role, run, runner_of, send, start_unheard, steadfast,
    tracing,
};
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use testing::skip;

const HOG: &str = "test-hog";

/// Starts a hog above the measurement on the CPU, in bursts of 10 ms, for at most a minute.
fn hog(cpu: usize) -> Child {
    hog_in_bursts(cpu, "10ms 50ms 1200")
}

/// Starts such a hog with the length of a burst, the time from one to the next, and their number.
fn hog_in_bursts(cpu: usize, bursts: &str) -> Child {
    let mut hog = role(&format!("role-hog {HOG} fifo:90 {cpu} {bursts}"));
    hog.stdout(Stdio::piped()).spawn().unwrap()
}

/// Returns the bursts that the hog recorded itself: start and end.
fn bursts(mut hog: Child) -> Vec<(i64, i64)> {
    kill(&mut hog);
    let mut text = String::new();
    hog.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let burst = |line: &str| {
        let mut words = line.split(' ').map(|word| word.parse().ok());
        words.next()?.zip(words.next()?)
    };
    text.lines().map(|line| burst(line).unwrap()).collect()
}

fn told(run: &Value) -> &[Value] {
    run["blame"]["late_samples"].as_array().unwrap()
}

/// Returns when a sample was due, and when it was done.
fn stretch(late: &Value) -> (i64, i64) {
    let due = late["due_ns"].as_i64().unwrap();
    (due, due + late["took_ns"].as_i64().unwrap())
}

fn causes<'a>(run: &'a Value, kind: &str) -> Vec<&'a Value> {
    let causes = run["blame"]["causes"].as_array().unwrap().iter();
    causes.filter(|total| total["cause"]["kind"] == kind).collect()
}

/// Whether processes have the same numbers here as in traces, which have those of the initial
/// namespace (`PROC_PID_INIT_INO` in Linux's `include/linux/proc_ns.h`).
fn has_numbers_of_traces() -> bool {
    std::fs::read_link("/proc/self/ns/pid").is_ok_and(|link| link.as_os_str() == "pid:[4026531836]")
}

#[test]
fn a_hog_is_named_with_the_time_that_it_recorded_itself() {
    let Some(()) = real_time().and_then(|()| tracing()) else { return };
    let cpu = rt::topology::usable().iter().last().unwrap();
    let hog = hog(cpu);
    let number = i64::from(hog.id());
    let line =
        format!("run wakeup --blame --threshold 200us --load cpu --cpus {cpu} --seconds 2 --json");
    let done = run(&line);
    let bursts = bursts(hog);
    let run = &done.succeeded().first_run();
    let is_hog = |total: &&Value| total["cause"]["name"].as_str().unwrap().ends_with(HOG);
    let named = causes(run, "task").into_iter().find(is_hog);
    let named = named.unwrap_or_else(|| panic!("no hog in {}", run["blame"]["causes"]));
    let cause = &named["cause"];
    match has_numbers_of_traces() {
        true => assert_eq!((&cause["pid"], &cause["policy"]), (&json!(number), &json!("fifo:90"))),
        // Its policy cannot be looked up by its number.
        false => assert_eq!(cause["policy"], "real-time:90"),
    }
    // The part of its bursts between a due time and the wake-up, by its own stamps.
    let late: Vec<(i64, i64)> = told(run).iter().map(stretch).collect();
    let common = |(start, end): (i64, i64)| -> i64 {
        let parts = late.iter().map(|(due, woke)| end.min(*woke) - start.max(*due));
        parts.filter(|part| *part > 0).sum()
    };
    let recorded: i64 = bursts.into_iter().map(common).sum();
    let time = |total: &Value| total["time_ns"].as_i64().unwrap();
    let blamed = time(named);
    // A busy host takes the CPU from the hog too.
    let of_host = ["platform_gap", "steal"].into_iter().flat_map(|kind| causes(run, kind));
    let taken: i64 = of_host.map(time).sum();
    let least = (recorded * 9 / 10 - taken).max(recorded / 4);
    let most = recorded * 11 / 10 + taken;
    assert!((least..=most).contains(&blamed), "{blamed} of {recorded}, {taken} taken");
    assert!(run["blame"]["cost"]["ratio"].as_f64().unwrap() > 0.0);
}

#[test]
fn without_a_search_the_kernels_counters_show_that_another_task_had_the_cpu() {
    let Some(()) = real_time() else { return };
    if rt::task_counts::own_times().is_none() {
        return skip("needs a kernel that counts run delay (CONFIG_SCHED_INFO)");
    }
    let cpu = rt::topology::usable().iter().last().unwrap();
    let hog = hog_in_bursts(cpu, "300ms 1s 60");
    let done = run(&format!("run wakeup --cpus {cpu} --seconds 4 --json"));
    let bursts = bursts(hog);
    let run = &done.succeeded().first_run();
    assert!(run["blame"].is_null());
    let counted = run["counted"].as_array().unwrap();
    let took: Vec<i64> = counted.iter().map(|late| late["took_ns"].as_i64().unwrap()).collect();
    assert!(took.is_sorted_by(|one, other| one >= other), "the worst come first");
    let is_hogged = |late: &&Value| {
        let (due, done) = stretch(late);
        let common = |(from, to): &(i64, i64)| (done.min(*to) - due.max(*from)) * 10;
        bursts.iter().any(|burst| common(burst) > (done - due) * 9)
    };
    let causes: Vec<&Value> =
        counted.iter().filter(is_hogged).map(|late| &late["shares"][0][0]["kind"]).collect();
    assert!(causes.iter().all(|kind| kind.is_null() || *kind == "unknown_task"), "{causes:?}");
    // While the host takes the CPU too, the counters do not decide.
    let is_stolen = run["warnings"].to_string().contains("stolen");
    assert!(is_stolen || causes.iter().any(|kind| !kind.is_null()), "{counted:?}");
}

/// Returns the main cause of the latest event within each of these stretches.
fn mains(run: &Value, stretches: &[(i64, i64)]) -> Vec<String> {
    let common = |late: &Value, (from, to): (i64, i64)| {
        let (due, done) = stretch(late);
        done.min(to) - due.max(from)
    };
    let main = |stretch: &(i64, i64)| {
        let most = told(run).iter().max_by_key(|late| common(late, *stretch))?;
        let kind = most["shares"][0][0]["kind"].as_str()?;
        (common(most, *stretch) > 0).then(|| kind.to_owned())
    };
    stretches.iter().filter_map(main).collect()
}

#[test]
fn a_frozen_process_is_never_the_platforms() {
    let Some(()) = real_time().and_then(|()| tracing()) else { return };
    let kinds = [
        ("cgroup2", "", "cgroup.freeze", ["1", "0"]),
        ("cgroup", "freezer", "freezer.state", ["FROZEN", "THAWED"]),
    ];
    for (kind, controller, file, [freeze, thaw]) in kinds {
        let Some(group) = Group::of(kind, controller) else {
            skip(&format!("needs a {kind} {controller} tree that may be written"));
            continue;
        };
        let line = "run wakeup --period 2ms --seconds 4 --blame --threshold 5ms --json";
        let program = piped(group.command(line));
        let runner = runner_of(program.id());
        eventually("the trace", || traces_of(runner) == 1);
        // The cost of tracing is measured first.
        is_in_its_periods(runner);
        let stretches: Vec<(i64, i64)> = (0..8)
            .map(|_| {
                let from = rt::clock::now() as i64;
                group.set(file, freeze);
                sleep(Duration::from_millis(50));
                group.set(file, thaw);
                let to = rt::clock::now() as i64;
                sleep(Duration::from_millis(60));
                (from, to)
            })
            .collect();
        let counts = group.file("cgroup.stat.local").exists();
        let done = Done::at_end(program).succeeded();
        let mains = mains(&done.first_run(), &stretches);
        assert!(mains.len() >= 6, "{mains:?}");
        // A stall of the host can hide in one of them, and kernels differ in what they report.
        let right = |main: &&String| match counts {
            true => *main == "frozen",
            false => ["frozen", "unknown", "blocking"].contains(&main.as_str()),
        };
        let right = mains.iter().filter(right).count();
        assert!(right + 1 >= mains.len(), "{kind}: {mains:?}");
    }
}

#[test]
fn a_quota_is_distinguished_from_a_lesser_task_that_runs() {
    let Some(()) = tracing() else { return };
    let Some(group) = Group::limited("20000") else {
        return skip("needs the CPU controller of control groups, and the right to write it");
    };
    let cpu = rt::topology::usable().iter().last().unwrap();
    let mut lesser = Command::new("taskset");
    lesser.args(format!("-c {cpu} nice -n 19 timeout 20 sh -c").split(' '));
    let mut lesser = lesser.arg("while :; do :; done").spawn().unwrap();
    let line = format!(
        "run wakeup --period 2ms --seconds 2 --policy other --cpus {cpu} --load cpu@{cpu} --blame \
         --threshold 20ms --json"
    );
    let done = Done::of(group.command(&line));
    send(Signal::TERM, lesser.id());
    lesser.wait().unwrap();
    let run = &done.first_run();
    let stat = std::fs::read_to_string(group.file("cpu.stat")).unwrap();
    assert!(!stat.contains("nr_throttled 0\n"), "{stat}");
    let main_of = |kind, is_meant: &dyn Fn(&Value) -> bool| -> u64 {
        let of = causes(run, kind).into_iter().filter(|total| is_meant(total));
        of.map(|total| number(total, "main_of")).sum()
    };
    // Tasks of other tests may be causes too.
    let quota = main_of("quota", &|_| true);
    let lesser = main_of("task", &|total| total["cause"]["name"] == "sh");
    assert!(quota > 3 && 5 * lesser <= quota, "{}", run["blame"]["causes"]);
}

#[test]
fn without_the_right_to_trace_counters_explain_and_name_what_they_cannot() {
    let folder = open_folder();
    for what in ["wakeup --seconds 0.3", "frame --seconds 0.3 --peer none --rate 1kHz"] {
        let line = format!("run {what} --blame --threshold 1ns {MODEST} --json");
        let done = Done::of(as_ordinary_user(&folder, "", &line)).succeeded();
        let blame = &done.first_run()["blame"];
        assert_eq!(blame["traced"], 0);
        let why = blame["not_traced"].as_str().unwrap();
        assert!(why.contains("sudo"), "{why}");
        let causes = blame["causes"].as_array().unwrap().iter();
        let explained: u64 = causes.map(|total| number(total, "main_of")).sum();
        assert!((1..=number(blame, "late")).contains(&explained), "{blame}");
    }
}

#[test]
fn every_late_frame_and_step_has_its_part_of_the_trace() {
    let Some(()) = real_time().and_then(|()| tracing()) else { return };
    for what in [
        "frame --seconds 0.3 --rate 1kHz --processes 2 --peer none",
        "tire --mode real-time --rate 1kHz --steps 300 --masses 40 --threads 2",
    ] {
        let done = run(&format!("run {what} --blame --threshold 1ns --json")).succeeded();
        let blame = &done.first_run()["blame"];
        let late = number(blame, "late");
        assert!(late > 0, "{what}");
        assert_eq!(blame["traced"], late, "{what}: {blame}");
        assert_eq!(blame["not_traced"], Value::Null);
    }
}

fn traces_of(program: u32) -> usize {
    let root = rt::tracefs::mounted().unwrap();
    let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap_or_default();
    let entries = std::fs::read_dir(root.join("instances")).unwrap().flatten();
    let its = format!("steadfast-{program}-");
    entries.map(name).filter(|name| name.starts_with(&its)).count()
}

#[test]
fn a_trace_goes_with_its_run_and_that_of_a_killed_one_with_the_next_start() {
    let Some(()) = tracing() else { return };
    let line = format!("run wakeup --seconds 30 --blame {MODEST} --json");
    let mut program = start_unheard(steadfast(&line));
    let runner = runner_of(program.id());
    eventually("the trace", || traces_of(runner) == 1);
    send(Signal::STOP, runner);
    send(Signal::KILL, program.id());
    program.wait().unwrap();
    kill_process(pid(runner), Signal::KILL).ok();
    all_end(&[runner]);
    // Its other threads may still be ending.
    eventually("the end of its trace", || {
        run("list").succeeded();
        traces_of(runner) == 0
    });
    run(&format!("run wakeup --seconds 0.2 --blame {MODEST} --json")).succeeded();
    let root = rt::tracefs::mounted().unwrap();
    assert_eq!(rt::tracefs::remove_left_over(&root), 0);
}
