use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

const STATES: &str = "sys/devices/system/cpu/cpu1/cpuidle";

/// Files of a machine with every condition; those that begin with `-> ` are links.
const FILES: &[(&str, &str)] = &[
    ("proc/1/comm", "systemd"),
    ("proc/2/comm", "tuned"),
    ("proc/cpuinfo", "microcode\t: 0x1"),
    ("proc/self/autogroup", "/autogroup-7 nice 0"),
    ("proc/self/cgroup", "0::/a/b"),
    ("proc/self/mountinfo", "30 29 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
    ("proc/self/ns/cgroup", "-> cgroup:[4026531835]"),
    ("proc/self/ns/pid", "-> pid:[4026531836]"),
    (
        "proc/self/status",
        "Seccomp:\t0\nSpeculation_Store_Bypass:\tnot vulnerable\n\
      SpeculationIndirectBranch:\talways enabled",
    ),
    ("proc/sys/kernel/sched_autogroup_enabled", "1"),
    ("etc/tuned/active_profile", "realtime"),
    ("dev/cpu_dma_latency", "\u{20}\0\0\0"),
    ("sys/devices/system/cpu/isolated", ""),
    ("sys/devices/system/cpu/cpu1/power/pm_qos_resume_latency_us", "20"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state0/name", "POLL"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state0/latency", "0"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state0/disable", "0"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state1/name", "C1"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state1/latency", "2"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state1/disable", "0"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state2/name", "C6"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state2/latency", "133"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state2/disable", "0"),
    ("sys/fs/cgroup/a/cpu.idle", "0"),
    ("sys/fs/cgroup/a/cpu.max", "max 100000"),
    ("sys/fs/cgroup/a/cpu.uclamp.min", "0.00"),
    ("sys/fs/cgroup/a/cpu.weight", "100"),
    ("sys/fs/cgroup/cpuset.cpus.isolated", ""),
    ("sys/kernel/debug/sched/base_slice_ns", "2800000"),
    ("sys/kernel/debug/sched/features", "PLACE_LAG NO_HRTICK NO_OTHER"),
    ("sys/kernel/sched_ext/root/ops", "lavd"),
    ("sys/kernel/sched_ext/state", "disabled"),
    ("sys/kernel/tracing/current_tracer", "nop"),
];

/// For each condition, a file in which another machine differs, its text there, and what is then
/// found: first on the machine of `FILES`, then on the other one.
const EACH: &[(&str, &str, &str, [&str; 2])] = &[
    ("sched_ext", "sys/kernel/sched_ext/state", "enabled", ["disabled", "lavd (enabled)"]),
    ("cpu_weight", "sys/fs/cgroup/a/cpu.weight", "1", ["100", "1"]),
    ("cpu_idle", "sys/fs/cgroup/a/cpu.idle", "1", ["0", "1"]),
    ("cpu_max", "sys/fs/cgroup/a/cpu.max", "5 10", ["max 100000", "5 10"]),
    ("uclamp_min", "sys/fs/cgroup/a/cpu.uclamp.min", "max", ["0.00", "max"]),
    ("autogroup", "proc/self/autogroup", "/autogroup-9 nice 5", ["on, nice 0", "on, nice 5"]),
    (
        "sched_features",
        "sys/kernel/debug/sched/features",
        "PLACE_LAG HRTICK",
        ["PLACE_LAG NO_HRTICK", "PLACE_LAG HRTICK"],
    ),
    ("base_slice_ns", "sys/kernel/debug/sched/base_slice_ns", "700000", ["2800000", "700000"]),
    ("isolated_by", "sys/devices/system/cpu/isolated", "1", ["nothing", "kernel (CPU 1)"]),
    ("deepest_idle_state", "dev/cpu_dma_latency", "\u{1}\0\0\0", ["C1 (2 µs)", "POLL (0 µs)"]),
    (
        "resume_latency_us",
        "sys/devices/system/cpu/cpu1/power/pm_qos_resume_latency_us",
        "19",
        ["20", "19"],
    ),
    ("tuned", "etc/tuned/active_profile", "balanced", ["realtime", "balanced"]),
    ("irqbalance", "proc/3/comm", "irqbalance", ["not running", "running"]),
    ("tracer", "sys/kernel/tracing/current_tracer", "function", ["nop", "function"]),
    (
        "seccomp",
        "proc/self/status",
        "Seccomp:\t2\nSpeculation_Store_Bypass:\tnot vulnerable\n\
      SpeculationIndirectBranch:\talways enabled",
        ["0", "2"],
    ),
    (
        "store_bypass",
        "proc/self/status",
        "Seccomp:\t0\nSpeculation_Store_Bypass:\tthread mitigated\n\
      SpeculationIndirectBranch:\talways enabled",
        ["not vulnerable", "thread mitigated"],
    ),
    (
        "indirect_branch",
        "proc/self/status",
        "Seccomp:\t0\nSpeculation_Store_Bypass:\tnot vulnerable\n\
      SpeculationIndirectBranch:\tforce disabled",
        ["always enabled", "force disabled"],
    ),
    ("microcode", "proc/cpuinfo", "microcode\t: 0x2", ["0x1", "0x2"]),
];

fn write(root: &TempDir, path: &str, text: &str) {
    let path = root.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match text.strip_prefix("-> ") {
        Some(target) => symlink(target, path).unwrap(),
        None => fs::write(path, text).unwrap(),
    }
}

fn machine() -> TempDir {
    let root = TempDir::new().unwrap();
    FILES.iter().for_each(|(path, text)| write(&root, path, text));
    root
}

fn found(root: &TempDir) -> BTreeMap<String, Observed<String>> {
    conditions(&Tree::at(root.path()), &CpuSet::one(1))
}

fn seen(value: &str) -> Observed<String> {
    Observed::Seen(value.to_owned())
}

/// The condition that only groups of version 1 have.
const OF_VERSION_ONE: &str = "rt_runtime_us";

#[test]
fn real_time_budgets_are_those_of_version_one_and_hidden_only_where_there_may_be_some() {
    const FILE: &str = "sys/fs/cgroup/cpu/a/cpu.rt_runtime_us";
    const GROUPS: (&str, &str) = ("proc/self/cgroup", "3:cpu:/a\n0::/a/b");
    let mounted =
        |root: &str| format!("31 29 0:27 {root} /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu");
    let (whole, part) = (mounted("/"), mounted("/a"));
    let budget = |files: &[(&str, &str)]| {
        let root = machine();
        files.iter().for_each(|(path, text)| write(&root, path, text));
        found(&root)[OF_VERSION_ONE].clone()
    };
    const MOUNTS: &str = "proc/self/mountinfo";
    const OTHER: (&str, &str) = ("sys/fs/cgroup/cpu/a/cpu.shares", "1024");
    assert_eq!(budget(&[]), Observed::Absent);
    assert_eq!(budget(&[GROUPS, (MOUNTS, &whole), (FILE, "20000")]), seen("20000"));
    assert_eq!(budget(&[GROUPS, (MOUNTS, &whole), (FILE, "950000")]), seen("950000"));
    assert_eq!(budget(&[GROUPS, (MOUNTS, &whole), OTHER]), Observed::Absent);
    let in_part = ("sys/fs/cgroup/cpu/cpu.rt_runtime_us", "950000");
    let hidden = format!("950000{IN_HIDDEN_GROUPS}");
    assert_eq!(budget(&[GROUPS, (MOUNTS, &part), in_part]), seen(&hidden));
    assert!(matches!(budget(&[GROUPS]), Observed::Hidden(_)));
}

#[test]
fn what_started_without_a_session_is_in_no_autogroup() {
    let root = machine();
    write(&root, "proc/self/autogroup", "");
    assert_eq!(found(&root)["autogroup"], seen("on, in no session's group"));
}

#[test]
fn a_change_of_one_condition_shows_in_it_and_in_no_other() {
    let names: Vec<&str> = EACH.iter().map(|(name, ..)| *name).collect();
    let all = CONDITIONS.iter().map(|one| one.name).filter(|name| *name != OF_VERSION_ONE);
    assert_eq!(names, all.collect::<Vec<_>>());
    let before = found(&machine());
    for (name, path, text, [value, other]) in EACH {
        assert_eq!(before[*name], seen(value), "{name}");
        let changed = machine();
        write(&changed, path, text);
        let after = found(&changed);
        let differing: Vec<&String> =
            after.keys().filter(|key| after[*key] != before[*key]).collect();
        assert_eq!((differing, &after[*name]), (vec![&(*name).to_owned()], &seen(other)), "{name}");
    }
}

#[test]
fn a_file_that_is_missing_never_gives_a_condition_another_value() {
    let whole = found(&machine());
    for (path, _) in FILES {
        let root = machine();
        fs::remove_file(root.path().join(path)).unwrap();
        for (name, value) in found(&root) {
            // Without its folder a process has ended, and a state of no CPU is a CPU with fewer states.
            let is_fewer = path.starts_with("proc/2") || path.starts_with(STATES);
            let is_less = match &value {
                Observed::Seen(value) => value.ends_with("in groups that cannot be seen"),
                Observed::Absent | Observed::Hidden(_) => true,
            };
            let names_less = name == "sched_ext" && path.ends_with("ops");
            assert!(
                value == whole[&name] || is_less || is_fewer || names_less,
                "{path}: {name} {value:?}"
            );
        }
    }
    let empty = found(&TempDir::new().unwrap());
    assert!(empty.values().all(|value| !matches!(value, Observed::Seen(_))), "{empty:?}");
}

#[test]
fn the_deepest_idle_state_is_within_every_limit_and_on() {
    const ANY: &str = "\0\u{6c}\u{35}\u{77}";
    let limit = "sys/devices/system/cpu/cpu1/power/pm_qos_resume_latency_us";
    let off = |state: usize| format!("{STATES}/state{state}/disable");
    let (system, latency, state) = ("dev/cpu_dma_latency".to_owned(), limit.to_owned(), off);
    for (changes, deepest) in [
        (vec![(&system, ANY), (&latency, "0")], "C6 (133 µs)"),
        (vec![(&system, ANY), (&latency, "133")], "C6 (133 µs)"),
        (vec![(&system, ANY), (&latency, "132")], "C1 (2 µs)"),
        (vec![(&system, ANY), (&latency, "n/a")], "POLL (0 µs)"),
        (vec![(&system, "\0\0\0\0"), (&latency, "0")], "POLL (0 µs)"),
        (vec![(&system, ANY), (&latency, "0"), (&state(2), "1")], "C1 (2 µs)"),
        (vec![(&system, ANY), (&latency, "0"), (&state(1), "1")], "C6 (133 µs)"),
    ] {
        let root = machine();
        changes.iter().for_each(|(path, text)| write(&root, path, text));
        assert_eq!(found(&root)["deepest_idle_state"], seen(deepest), "{changes:?}");
    }
}
