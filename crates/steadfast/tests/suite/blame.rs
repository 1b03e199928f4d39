//! `--blame` names what made a measurement late, with the time that it took.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Done, MODEST, as_ordinary_user, eventually, is_root, lives, may_be_real_time};
use crate::common::{may_trace, role, runner_of, steadfast};
use crate::common::{pid, run};
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use testing::skip;

const HOG: &str = "test-hog";

/// Starts a hog above the measurement on the CPU, in bursts of 10 ms, for at most a minute.
fn hog(cpu: usize) -> Child {
    let mut hog = role(&format!("role-hog {HOG} fifo:90 {cpu} 10ms 50ms 1200"));
    hog.stdin(Stdio::null()).stdout(Stdio::piped());
    hog.spawn().unwrap()
}

/// Returns the bursts that the hog recorded itself: start and end.
fn bursts(mut hog: Child) -> Vec<(i64, i64)> {
    hog.kill().unwrap();
    hog.wait().unwrap();
    let mut text = String::new();
    hog.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let burst = |line: &str| {
        let mut words = line.split(' ').map(|word| word.parse().ok());
        words.next()?.zip(words.next()?)
    };
    text.lines().map(|line| burst(line).unwrap()).collect()
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
    if !may_be_real_time() || !may_trace() {
        return;
    }
    let cpu = rt::topology::usable().iter().last().unwrap();
    let hog = hog(cpu);
    let number = i64::from(hog.id());
    let line =
        format!("run wakeup --blame --threshold 200us --load cpu --cpus {cpu} --seconds 2 --json");
    let done = run(&line);
    let bursts = bursts(hog);
    done.succeeded();
    let run = &done.json()[0];
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
    let late: Vec<(i64, i64)> = run["blame"]["told"]
        .as_array()
        .unwrap()
        .iter()
        .map(|late| {
            let due = late["due_ns"].as_i64().unwrap();
            (due, due + late["took_ns"].as_i64().unwrap())
        })
        .collect();
    let common = |(start, end): (i64, i64)| -> i64 {
        let parts = late.iter().map(|(due, woke)| end.min(*woke) - start.max(*due));
        parts.filter(|part| *part > 0).sum()
    };
    let recorded: i64 = bursts.into_iter().map(common).sum();
    let blamed = named["time_ns"].as_i64().unwrap();
    assert!(recorded > 0);
    let ratio = blamed as f64 / recorded as f64;
    assert!((0.9..=1.1).contains(&ratio), "{blamed} of {recorded}");
    assert!(run["blame"]["cost"]["ratio"].as_f64().unwrap() > 0.0);
}

/// A control group for one test; removed when dropped.
struct Group(PathBuf);

impl Group {
    /// Creates a group below the mount point of this kind of tree; `None` if it is not mounted, or
    /// not writable for this user.
    fn of(kind: &str, controller: &str) -> Option<Self> {
        let mounts = std::fs::read_to_string("/proc/mounts").unwrap();
        let mount = mounts.lines().find_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let is_it = words[2] == kind
                && (controller.is_empty() || words[3].split(',').any(|one| one == controller));
            is_it.then(|| PathBuf::from(words[1]))
        });
        let group = mount?.join(format!("steadfast-test-{}", std::process::id()));
        std::fs::create_dir(&group).ok()?;
        Some(Self(group))
    }

    fn set(&self, file: &str, text: &str) {
        std::fs::write(self.0.join(file), text).unwrap();
    }

    /// Returns the command that runs this program in the group from its first instruction on.
    fn started(&self, line: &str) -> Child {
        let group = self.0.display();
        let mut shell = Command::new("sh");
        let enter = format!("echo $$ > {group}/cgroup.procs && exec \"$@\"");
        shell.args(["-c", &enter, "sh", env!("CARGO_BIN_EXE_steadfast")]);
        shell.args(line.split(' '));
        let piped = shell.stdout(Stdio::piped()).stderr(Stdio::null());
        piped.spawn().unwrap()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        eventually("the end of what is in the group", || std::fs::remove_dir(&self.0).is_ok());
    }
}

/// Returns the main cause of the latest event within each of these stretches.
fn mains(run: &Value, stretches: &[(i64, i64)]) -> Vec<String> {
    let reported = run["blame"]["told"].as_array().unwrap();
    let common = |late: &Value, (from, to): (i64, i64)| {
        let due = late["due_ns"].as_i64().unwrap();
        (due + late["took_ns"].as_i64().unwrap()).min(to) - due.max(from)
    };
    let main = |stretch: &(i64, i64)| {
        let most = reported.iter().max_by_key(|late| common(late, *stretch))?;
        let kind = most["shares"][0][0]["kind"].as_str()?;
        (common(most, *stretch) > 0).then(|| kind.to_owned())
    };
    stretches.iter().filter_map(main).collect()
}

#[test]
fn a_frozen_process_is_never_the_platforms() {
    if !may_be_real_time() || !may_trace() {
        return;
    }
    let kinds = [
        ("cgroup2", "", "cgroup.freeze", ["1", "0"]),
        ("cgroup", "freezer", "freezer.state", ["FROZEN", "THAWED"]),
    ];
    for (kind, controller, file, [freeze, thaw]) in kinds {
        let Some(group) = Group::of(kind, controller) else {
            skip(&format!("needs a {kind} {controller} tree that may be written"));
            continue;
        };
        let line = "run wakeup --period 2ms --seconds 2 --blame --threshold 5ms --json";
        let program = group.started(line);
        let runner = runner_of(program.id()).as_raw_nonzero().get();
        eventually("the trace", || traces_of(runner.unsigned_abs()) == 1);
        sleep(Duration::from_millis(500));
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
        let counts = group.0.join("cgroup.stat.local").exists();
        let done = Done(program.wait_with_output().unwrap());
        done.succeeded();
        let mains = mains(&done.json()[0], &stretches);
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
    if !may_trace() {
        return;
    }
    let kinds = [
        ("cgroup2", "", "cpu.max", "20000 100000"),
        ("cgroup", "cpu", "cpu.cfs_quota_us", "20000"),
    ];
    let limited = kinds.into_iter().find_map(|(kind, controller, file, quota)| {
        let group = Group::of(kind, controller)?;
        std::fs::write(group.0.join(file), quota).ok()?;
        Some(group)
    });
    let Some(group) = limited else {
        skip("needs the CPU controller of control groups, and the right to write it");
        return;
    };
    let cpu = rt::topology::usable().iter().last().unwrap();
    let beside = format!("{cpu} nice -n 19 timeout 20 sh -c");
    let mut lesser = Command::new("taskset");
    lesser.arg("-c").args(beside.split(' '));
    let mut lesser = lesser.arg("while :; do :; done").spawn().unwrap();
    let line = format!(
        "run wakeup --period 2ms --seconds 2 --policy other --cpus {cpu} --load cpu@{cpu} --blame \
         --threshold 20ms --json"
    );
    let done = Done(group.started(&line).wait_with_output().unwrap());
    kill_process(pid(lesser.id()), Signal::TERM).unwrap();
    lesser.wait().unwrap();
    let run = &done.json()[0];
    let stat = std::fs::read_to_string(group.0.join("cpu.stat")).unwrap();
    assert!(!stat.contains("nr_throttled 0\n"), "{stat}");
    let main_of = |kind, is_meant: &dyn Fn(&Value) -> bool| -> u64 {
        let of = causes(run, kind).into_iter().filter(|total| is_meant(total));
        of.map(|total| total["main_of"].as_u64().unwrap()).sum()
    };
    // Tasks of other tests may be causes too.
    let quota = main_of("quota", &|_| true);
    let lesser = main_of("task", &|total| total["cause"]["name"] == "sh");
    assert!(quota > 3 && 5 * lesser <= quota, "{}", run["blame"]["causes"]);
}

#[test]
fn without_the_right_to_trace_counters_explain_and_name_what_they_cannot() {
    let directory = tempfile::tempdir_in("/tmp").unwrap();
    if is_root() {
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(directory.path(), open).unwrap();
    }
    for what in ["wakeup --seconds 0.3", "frame --seconds 0.3 --peer none --rate 1kHz"] {
        let line = format!("run {what} --blame --threshold 1ns {MODEST} --json");
        let done = Done::of(as_ordinary_user(directory.path(), &line));
        done.succeeded();
        let blame = &done.json()[0]["blame"];
        assert!(blame["late"].as_u64().unwrap() > 0, "{blame}");
        assert_eq!(blame["traced"], 0);
        let why = blame["not_traced"].as_str().unwrap();
        assert!(why.contains("sudo"), "{why}");
        let reported: u64 = blame["causes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|total| total["main_of"].as_u64().unwrap())
            .sum();
        assert!(reported > 0 && reported <= blame["late"].as_u64().unwrap());
    }
}

#[test]
fn every_late_frame_and_step_has_its_part_of_the_trace() {
    if !may_be_real_time() || !may_trace() {
        return;
    }
    for what in [
        "frame --seconds 0.3 --rate 1kHz --processes 2 --peer none",
        "tire --mode real-time --rate 1kHz --steps 300 --masses 40 --threads 2",
    ] {
        let done = run(&format!("run {what} --blame --threshold 1ns --json"));
        done.succeeded();
        let blame = &done.json()[0]["blame"];
        let late = blame["late"].as_u64().unwrap();
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
    if !may_trace() {
        return;
    }
    let line = format!("run wakeup --seconds 30 --blame {MODEST} --json");
    let mut command: Command = steadfast(&line);
    let mut program = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let runner = runner_of(program.id());
    let number = u32::try_from(runner.as_raw_nonzero().get()).unwrap();
    eventually("the trace", || traces_of(number) == 1);
    kill_process(runner, Signal::STOP).unwrap();
    kill_process(pid(program.id()), Signal::KILL).unwrap();
    program.wait().unwrap();
    kill_process(runner, Signal::KILL).ok();
    eventually("the end of the runner", || !lives(number));
    // Its other threads may still be ending.
    eventually("the end of its trace", || {
        run("list").succeeded();
        traces_of(number) == 0
    });
    let own = run(&format!("run wakeup --seconds 0.2 --blame {MODEST} --json"));
    own.succeeded();
    let root = rt::tracefs::mounted().unwrap();
    assert_eq!(rt::tracefs::remove_left_over(&root), 0);
}
