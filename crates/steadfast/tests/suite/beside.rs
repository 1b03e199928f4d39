//! What else uses a run's CPUs: another measurement, a real-time task that never waits; and a `nice`
//! value, a timer slack or a CPU budget with which the program was started.

use std::fs;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::groups::Group;
use crate::common::{
    Done, MODEST, as_ordinary_user, children_of_runner, eventually, kill, open_folder, pid, run,
    runner_of, send, start,
};
use base::{CpuSet, Nanos, Policy};
use rt::claim::claimants;
use rt::thread::start_in;
use rt::{sched, timer_slack, topology};
use rustix::process::Signal;
use serde_json::Value;
use testing::{REAL_TIME, measure_alone, needs, skip};

fn last_cpu() -> usize {
    topology::usable().iter().last().unwrap()
}

fn warning<'a>(run: &'a Value, code: &str) -> Option<&'a Value> {
    let warnings = run["warnings"].as_array().unwrap();
    warnings.iter().find(|warning| warning["code"] == code)
}

#[test]
fn a_second_measurement_on_a_cpu_waits_and_says_for_whom_or_is_reported() {
    measure_alone();
    let cpu = last_cpu();
    let line = |rest: &str| format!("run wakeup --cpus {cpu} {MODEST} --json {rest}");
    let mut first = start(&line("--seconds 60"));
    let runner = runner_of(first.id());
    let is_first = |other: &rt::claim::Claimant| other.process == Some(pid(runner));
    eventually("the first one's claim", || {
        claimants(&CpuSet::one(cpu)).unwrap().iter().any(is_first)
    });

    let done = run(&line("--seconds 0.1 --beside"));
    let beside = &done.first_run();
    assert_eq!(beside["conditions"]["requested"]["beside"], true);
    let reported = warning(beside, "measured_beside").expect("a warning");
    assert_eq!(reported["invalidates"], false);
    let cause = reported["cause"].as_str().unwrap();
    assert!(cause.contains(&format!("process {runner}")), "{cause}");
    assert!(cause.contains("run wakeup"), "{cause}");

    let mut waits = start(&line("--seconds 0.1"));
    let mut told = BufReader::new(waits.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(told.any(|line| line.contains("waiting: process ")));
    send(Signal::INT, waits.id());
    assert_eq!(waits.wait().unwrap().code(), Some(130));

    let second = start(&line("--seconds 0.1"));
    assert!(first.try_wait().unwrap().is_none(), "the first still measures");
    kill(&mut first);
    let second = Done::at_end(second).succeeded();
    assert!(warning(&second.first_run(), "measured_beside").is_none());
}

/// Spins at a real-time priority until told to stop, or for a minute.
fn hog(cpu: usize, policy: Policy, begun: &AtomicBool, end: &AtomicBool) {
    sched::set_affinity(&CpuSet::one(cpu)).unwrap();
    sched::set_policy(policy).unwrap();
    begun.store(true, Ordering::Release);
    let give_up = Instant::now() + Duration::from_secs(60);
    while !end.load(Ordering::Acquire) && Instant::now() < give_up {
        std::hint::spin_loop();
    }
}

#[test]
fn a_cpu_that_another_task_keeps_is_named_and_ctrl_c_works() {
    measure_alone();
    let cpu = last_cpu();
    let Some(()) = needs(topology::usable().len() > 1, "two CPUs") else { return };
    let Some(()) = needs(sched::may_be_real_time(), REAL_TIME) else { return };
    // A lower priority than that of other measurements, which this test must not disturb.
    let line = |seconds| {
        format!("run wakeup --cpus {cpu} --policy fifo:5 --idle-states leave --seconds {seconds}")
    };
    let under_way = start(&line(60));
    let runner = runner_of(under_way.id());
    let has_begun = |task: &rt::tasks::Task| {
        let of_it = task.process == pid(runner);
        of_it && sched::policy_of(task.id.as_raw_pid()).is_ok_and(|p| p == Policy::Fifo(5))
    };
    eventually("its measuring thread", || rt::tasks::all().iter().any(has_begun));

    let (begun, end) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let spins = start_in(scope, "hog", || hog(cpu, Policy::Fifo(6), &begun, &end)).unwrap();
        while !begun.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
        send(Signal::TERM, under_way.id());
        let ended = Done::at_end(under_way);
        let is_kept = !spins.is_finished();
        let refused = run(&line(1));
        end.store(true, Ordering::Release);
        assert!(is_kept, "it ended while the CPU was kept");
        ended.ended_with(130);
        let refused = refused.refuses("in vain");
        let this = format!("(fifo:6, process {}", std::process::id());
        assert!(refused.stderr().contains(&this), "{}", refused.stderr());
        assert!(refused.stderr().contains(&format!("has CPU {cpu}")));
    });
}

#[test]
fn an_inherited_nice_value_is_what_other_requests_and_is_reported() {
    measure_alone();
    let line = format!("run wakeup {MODEST} --seconds 0.1 --json");
    let run =
        &Done::of(as_ordinary_user(&open_folder(), "nice -n 5", &line)).succeeded().first_run();
    assert_eq!(run["valid"], true);
    assert_eq!(run["conditions"]["requested"]["policy"], "other");
    let found = run["conditions"]["found"]["threads"][0]["policy"].as_str().unwrap();
    assert!(found.starts_with("other:"), "{found}");
    assert_ne!(found.split(['/', ':']).nth(1), Some("0"), "{found}");
    assert!(warning(run, "nice_inherited").is_some(), "{run}");
}

#[test]
fn an_inherited_timer_slack_is_reset_for_measuring_threads_and_loads() {
    let inherited = Nanos(20_000_000);
    thread::scope(|scope| {
        let starter = start_in(scope, "starter", || {
            measure_alone();
            timer_slack::set(inherited).unwrap();
            for measured in ["run wakeup", "run frame --rate 1kHz --fill 10%"] {
                let line = format!("{measured} {MODEST} --load cpu --seconds 0.2 --json");
                let run = run(&line).succeeded().first_run();
                let thread = &run["conditions"]["found"]["threads"][0];
                assert_eq!(thread["timer_slack_ns"], timer_slack::DEFAULT.0, "{thread}");
            }
            let mut under_way = start(&format!("run wakeup {MODEST} --load cpu --seconds 60"));
            let load = children_of_runner(&under_way, 1)[0];
            let slack = fs::read_to_string(format!("/proc/{load}/timerslack_ns"));
            kill(&mut under_way);
            let default = timer_slack::DEFAULT.0.to_string();
            // Another process's slack can be read by root.
            assert!(slack.is_err() || slack.unwrap().trim() == default);
        });
        starter.unwrap().join().unwrap();
    });
}

/// Returns a group that grants real-time threads 2 % of a CPU.
fn with_small_real_time_budget() -> Option<Group> {
    let group = Group::of("cgroup", "cpu")?;
    fs::write(group.file("cpu.rt_runtime_us"), "20000").ok()?;
    Some(group)
}

#[test]
fn a_small_real_time_budget_is_named_with_its_file_before_it_is_used_up_and_after() {
    measure_alone();
    let Some(()) = needs(sched::may_be_real_time(), REAL_TIME) else { return };
    let Some(group) = with_small_real_time_budget() else {
        const NEEDS: &str = "needs groups of version 1 with real-time budgets (root)";
        return skip(NEEDS);
    };
    let (cpu, file) = (last_cpu(), group.file("cpu.rt_runtime_us"));
    let file = file.to_str().unwrap();
    let frames = format!("run frame --cpus {cpu} --rate 100Hz --fill 30% --idle-states leave");
    let refused = Done::of(group.command(&frames)).refuses(file);
    assert!(refused.stderr().contains(&format!("echo 950000 | sudo tee {file}")));
    // A loop that only spins is held back, and nothing else is named for that.
    let spin = format!("run platform_gap --cpus {cpu} --seconds 2 --idle-states leave --json");
    let run = Done::of(group.command(&spin)).succeeded().first_run();
    let reached = warning(&run, "throttling_reached").expect("a warning").to_string();
    assert!(
        reached.contains("the control group allows 2 %") && reached.contains(file),
        "{reached}"
    );
}

#[test]
fn a_budget_of_cpu_time_is_reported() {
    measure_alone();
    let Some(group) = Group::limited("99000") else {
        return skip("needs the right to make a control group with a budget (root)");
    };
    let line = format!("run wakeup {MODEST} --seconds 0.1 --json");
    let run = Done::of(group.command(&line)).succeeded().first_run();
    let reported = warning(&run, "cpu_budget").expect("a warning");
    assert_eq!(reported["invalidates"], false);
    assert!(reported["cause"].as_str().unwrap().contains("99000"), "{reported}");
}
