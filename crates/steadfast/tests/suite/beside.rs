//! What else uses a run's CPUs: another measurement, a real-time task that never waits, a `nice`
//! value or a CPU budget with which the program was started.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{
    Done, MODEST, as_ordinary_user, eventually, is_root, pid, run, runner_of, steadfast,
};
use rt::claim::claimants;
use rt::thread::start_in;
use rt::{sched, topology};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use testing::{measure_alone, skip};
use units::{CpuSet, Policy};

fn last_cpu() -> usize {
    topology::usable().iter().last().unwrap()
}

/// Starts a wake-up run, with its output to read.
fn start(line: &str) -> Child {
    let mut command = steadfast(line);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
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
    let is_first = |other: &rt::claim::Claimant| other.process == Some(runner);
    eventually("the first one's claim", || {
        claimants(&CpuSet::one(cpu)).unwrap().iter().any(is_first)
    });

    let done = run(&line("--seconds 0.1 --beside"));
    let beside = &done.json()[0];
    assert_eq!(beside["conditions"]["asked"]["beside"], true);
    let reported = warning(beside, "measured_beside").expect("a warning");
    assert_eq!(reported["invalidates"], false);
    let cause = reported["cause"].as_str().unwrap();
    assert!(cause.contains(&format!("process {runner}")), "{cause}");
    assert!(cause.contains("run wakeup"), "{cause}");

    let waits = start(&line("--seconds 0.1"));
    thread::sleep(Duration::from_millis(500));
    kill_process(pid(waits.id()), Signal::INT).unwrap();
    let waited = Done(waits.wait_with_output().unwrap());
    waited.ended_with(130);
    assert!(waited.stderr().contains("waiting: process "), "{}", waited.stderr());

    let second = start(&line("--seconds 0.1"));
    assert!(first.try_wait().unwrap().is_none(), "the first still measures");
    first.kill().unwrap();
    first.wait().unwrap();
    let second = Done(second.wait_with_output().unwrap());
    second.succeeded();
    assert!(warning(&second.json()[0], "measured_beside").is_none());
}

/// Spins at a real-time priority until told to stop, or for ten seconds.
fn hog(cpu: usize, policy: Policy, begun: &AtomicBool, end: &AtomicBool) {
    sched::set_affinity(&CpuSet::one(cpu)).unwrap();
    sched::set_policy(policy).unwrap();
    begun.store(true, Ordering::Release);
    let give_up = Instant::now() + Duration::from_secs(10);
    while !end.load(Ordering::Acquire) && Instant::now() < give_up {
        std::hint::spin_loop();
    }
}

#[test]
fn a_cpu_that_another_task_keeps_is_named_and_ctrl_c_works() {
    measure_alone();
    let cpu = last_cpu();
    if topology::usable().len() < 2 || !sched::may_be_real_time() {
        skip("needs two CPUs, and the right to real-time policies (CAP_SYS_NICE)");
        return;
    }
    // A lower priority than that of other measurements, which this test must not disturb.
    let line = |seconds| {
        format!("run wakeup --cpus {cpu} --policy fifo:5 --idle-states leave --seconds {seconds}")
    };
    let under_way = start(&line(60));
    let runner = runner_of(under_way.id());
    let has_begun = |task: &rt::tasks::Task| {
        let of_it = task.process == runner;
        of_it && sched::policy_of(task.id.as_raw_pid()).is_ok_and(|p| p == Policy::Fifo(5))
    };
    eventually("its measuring thread", || rt::tasks::all().iter().any(has_begun));

    let (begun, end) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let spins = start_in(scope, "hog", || hog(cpu, Policy::Fifo(6), &begun, &end)).unwrap();
        while !begun.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
        kill_process(pid(under_way.id()), Signal::TERM).unwrap();
        let ended = Done(under_way.wait_with_output().unwrap());
        let is_kept = !spins.is_finished();
        let refused = run(&line(1));
        end.store(true, Ordering::Release);
        assert!(is_kept, "it ended while the CPU was kept");
        ended.ended_with(130);
        refused.refuses("in vain");
        let this = format!("(fifo:6, process {}", std::process::id());
        assert!(refused.stderr().contains(&this), "{}", refused.stderr());
        assert!(refused.stderr().contains(&format!("has CPU {cpu}")));
    });
}

#[test]
fn an_inherited_nice_value_is_what_other_requests_and_is_reported() {
    measure_alone();
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let line = format!("run wakeup {MODEST} --seconds 0.1 --json");
    let plain = as_ordinary_user(directory.path(), &line);
    let mut nice = Command::new("nice");
    nice.args(["-n", "5"]).arg(plain.get_program()).args(plain.get_args());
    nice.current_dir(directory.path());
    if is_root() {
        std::os::unix::process::CommandExt::uid(&mut nice, 65534);
    }
    let done = Done::of(nice);
    done.succeeded();
    let run = &done.json()[0];
    assert_eq!(run["valid"], true);
    assert_eq!(run["conditions"]["asked"]["policy"], "other");
    let found = run["conditions"]["found"]["threads"][0]["policy"].as_str().unwrap();
    assert!(found.starts_with("other:"), "{found}");
    assert_ne!(found.split(['/', ':']).nth(1), Some("0"), "{found}");
    assert!(warning(run, "nice_inherited").is_some(), "{run}");
}

/// A control group with nearly all of the CPU time; removed with the test.
struct Group(PathBuf);

impl Group {
    /// Returns `None` if the group cannot be created.
    fn limited() -> Option<Self> {
        let name = format!("steadfast-test-{}", std::process::id());
        let limits = [
            ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "99000"),
            ("/sys/fs/cgroup", "cpu.max", "99000 100000"),
        ];
        limits.into_iter().find_map(|(root, file, limit)| {
            let group = Self(Path::new(root).join(&name));
            fs::create_dir(&group.0).ok()?;
            group.0.join(file).exists().then_some(())?;
            fs::write(group.0.join(file), limit).ok()?;
            Some(group)
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_budget_of_cpu_time_is_reported() {
    measure_alone();
    let Some(group) = Group::limited() else {
        skip("needs the right to make a control group with a budget (root)");
        return;
    };
    let line = format!("run wakeup {MODEST} --seconds 0.1 --json");
    let plain = steadfast(&line);
    let mut inside = Command::new("sh");
    inside
        .args(["-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\""])
        .arg(&group.0)
        .arg(plain.get_program())
        .args(plain.get_args());
    let done = Done::of(inside);
    done.succeeded();
    let run = done.json().remove(0);
    let reported = warning(&run, "cpu_budget").expect("a warning");
    assert_eq!(reported["invalidates"], false);
    assert!(reported["cause"].as_str().unwrap().contains("99000"), "{reported}");
}
