//! Tests with simulated machines: set up well, badly, not at all, and with damaged files.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use base::Policy;
use record::KernelOrigin;

use super::*;

/// Files of a machine that is set up: CPU 1 of 2 is for real-time work.
const GOOD: &[(&str, &str)] = &[
    ("proc/cpuinfo", "flags : fpu constant_tsc nonstop_tsc\n"),
    ("proc/stat", "cpu  1 1 1 1\ncpu1 10 0 10 80 0 0 0 0 0 0\n"),
    ("proc/self/status", "CapEff:\t000001ffffffffff\nCpus_allowed_list:\t0-1\n"),
    (
        "proc/self/limits",
        "Max cpu time              unlimited  unlimited   seconds\n\
         Max locked memory         8388608    8388608     bytes\n\
         Max realtime priority     0          0\n\
         Max realtime timeout      unlimited  unlimited   us\n",
    ),
    ("proc/self/cgroup", "0::/user/me\n"),
    ("proc/self/mountinfo", "30 29 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"),
    ("proc/self/ns/cgroup", "-> cgroup:[4026531835]"),
    ("proc/self/ns/pid", "-> pid:[4026531836]"),
    ("sys/fs/cgroup/cgroup.controllers", "cpu\n"),
    ("sys/fs/cgroup/user/cgroup.controllers", "cpu\n"),
    ("sys/fs/cgroup/user/cpu.max", "max 100000\n"),
    ("sys/fs/cgroup/user/cpu.weight", "100\n"),
    ("sys/fs/cgroup/user/me/cpu.weight", "100\n"),
    ("sys/kernel/sched_ext/state", "disabled\n"),
    ("proc/self/timerslack_ns", "50000\n"),
    ("usr/bin/sudo", ""),
    ("usr/sbin/setcap", ""),
    ("sys/fs/cgroup/user/me/cgroup.controllers", "cpu\n"),
    ("sys/fs/cgroup/user/me/cpu.max", "max 100000\n"),
    ("sys/devices/system/cpu/online", "0-1\n"),
    ("sys/devices/system/cpu/isolated", "1\n"),
    ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
    ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1\n"),
    ("proc/1/comm", "systemd\n"),
    ("proc/interrupts", "   CPU0 CPU1\n 24: 1 0 IO-APIC 5-edge eth0\nLOC: 1 1 Local timer\n"),
    ("proc/irq/24/smp_affinity_list", "0\n"),
    ("proc/sys/kernel/soft_watchdog", "0\n"),
    ("proc/sys/kernel/nmi_watchdog", "0\n"),
    ("proc/sys/kernel/timer_migration", "0\n"),
    ("proc/sys/kernel/sched_rt_runtime_us", "-1\n"),
    ("proc/sys/kernel/sched_rt_period_us", "1000000\n"),
    ("sys/kernel/debug/sched/fair_server/cpu1/runtime", "0\n"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state0/name", "POLL\n"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state0/latency", "0\n"),
    ("boot/config-6.12.0-rt", "CONFIG_HZ=1000\n# CONFIG_RT_GROUP_SCHED is not set\n"),
];

/// The files that differ on a machine that is not set up.
const BAD: &[(&str, &str)] = &[
    ("proc/cpuinfo", "flags : fpu\n"),
    ("proc/stat", "cpu  20 0 20 120 0 0 0 20 0 0\ncpu1 10 0 10 60 0 0 0 20 0 0\n"),
    ("proc/self/status", "CapEff:\t0000000000000000\nCpus_allowed_list:\t1\n"),
    (
        "proc/self/limits",
        "Max cpu time              60         60          seconds\n\
         Max locked memory         8388608    8388608     bytes\n\
         Max realtime priority     0          0\n\
         Max realtime timeout      200000     200000      us\n",
    ),
    ("sys/fs/cgroup/user/cpu.max", "50000 100000\n"),
    ("sys/fs/cgroup/user/cpu.weight", "1\n"),
    ("sys/kernel/sched_ext/state", "enabled\n"),
    ("sys/kernel/sched_ext/root/ops", "lavd\n"),
    ("proc/self/timerslack_ns", "5000000\n"),
    ("proc/2/comm", "irqbalance\n"),
    ("sys/devices/system/cpu/isolated", "\n"),
    ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"),
    ("proc/3/comm", "tuned\n"),
    ("etc/tuned/active_profile", "powersave\n"),
    ("proc/irq/24/smp_affinity_list", "0-1\n"),
    ("proc/sys/kernel/soft_watchdog", "1\n"),
    ("proc/sys/kernel/timer_migration", "1\n"),
    ("proc/sys/kernel/sched_rt_runtime_us", "950000\n"),
    ("sys/kernel/debug/sched/fair_server/cpu1/runtime", "50000000\n"),
    ("etc/os-release", "NAME=\"Debian\"\nID=debian\n"),
    ("usr/bin/apt", ""),
    ("etc/default/grub", ""),
    ("usr/sbin/update-grub", ""),
    ("boot/vmlinuz-6.12.0-rt", ""),
    ("sys/devices/system/cpu/cpu1/cpuidle/state1/name", "C6\n"),
    ("sys/devices/system/cpu/cpu1/cpuidle/state1/latency", "133\n"),
    (
        "boot/config-6.12.0-rt",
        "CONFIG_HZ=250\nCONFIG_NO_HZ_FULL=y\nCONFIG_RCU_NOCB_CPU=y\nCONFIG_RT_GROUP_SCHED=y\n",
    ),
];

fn good() -> Machine {
    Machine {
        cpus: "0-1".parse().unwrap(),
        smt_siblings: vec![CpuSet::one(0), CpuSet::one(1)],
        kernel_release: "6.12.0-rt".into(),
        preemption: "rt".into(),
        clock_source: Some("tsc".into()),
        governors: vec!["performance".into()],
        mitigations: [("spectre_v2".into(), "Vulnerable".into())].into(),
        memory_bytes: 1 << 30,
        architecture: "x86_64".into(),
        isolated_cpus: "1".into(),
        nohz_full_cpus: "1".into(),
        transparent_huge_pages: Some("madvise".into()),
        ..Machine::default()
    }
}

fn bad() -> Machine {
    Machine {
        smt_siblings: vec!["0-1".parse().unwrap()],
        preemption: "voluntary".into(),
        clock_source: Some("hpet".into()),
        governors: vec!["powersave".into()],
        mitigations: [("spectre_v2".into(), "Mitigation: Retpolines".into())].into(),
        swap_bytes: 1 << 30,
        isolated_cpus: String::new(),
        nohz_full_cpus: String::new(),
        transparent_huge_pages: Some("always".into()),
        hypervisor: Some("KVM".into()),
        command_line: "BOOT_IMAGE=/vmlinuz-6.12.0-rt root=/dev/vda1".into(),
        ..good()
    }
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        match text.strip_prefix("-> ") {
            Some(target) => symlink(target, path).unwrap(),
            None => fs::write(path, text).unwrap(),
        }
    }
}

fn examined(machine: &Machine, files: &[&[(&str, &str)]]) -> Diagnosis {
    let root = TempDir::new().unwrap();
    files.iter().for_each(|files| write(root.path(), files));
    let starved = "a thread of policy fifo:80 waited for CPU 1 in vain: `spin` (fifo:99, process 7) \
                   has CPU 1";
    let is_bad = *machine == bad();
    let tree = Tree::at(root.path());
    let Machine { kernel_release, command_line, .. } = machine;
    let is_virtual = machine.hypervisor.is_some();
    let installation = Some(installation::of(&tree, kernel_release, command_line, is_virtual));
    let machine = &Machine { installation, ..machine.clone() };
    let refused = is_bad.then(|| "Operation not permitted".to_owned());
    let tried = Tried {
        policy: Policy::Fifo(80),
        policy_refused: refused.clone(),
        deadline_refused: refused.clone(),
        lock_refused: refused.clone(),
        hold_refused: refused,
        reachable: machine.cpus.clone(),
        in_vain: is_bad.then(|| starved.to_owned()).into_iter().collect(),
    };
    examine(machine, tree, &CpuSet::one(1), &tried)
}

/// Returns the diagnosis of a machine that is not set up.
fn examined_bad() -> Diagnosis {
    examined(&bad(), &[GOOD, BAD])
}

fn finding<'a>(diagnosis: &'a Diagnosis, name: &str) -> &'a Finding {
    let finding = diagnosis.findings.iter().find(|finding| finding.name == name);
    finding.unwrap_or_else(|| panic!("no check is named {name}"))
}

fn state<'a>(diagnosis: &'a Diagnosis, name: &str) -> (State, &'a str) {
    let finding = finding(diagnosis, name);
    (finding.state, &finding.found)
}

#[test]
fn a_machine_that_is_set_up_gets_no_advice() {
    let diagnosis = examined(&good(), &[GOOD]);
    let asking = diagnosis.findings.iter().find(|finding| finding.state.asks_for_change());
    assert_eq!(asking, None);
    let answer = "This machine is set up for real-time work.";
    assert!(diagnosis.answer.starts_with(answer), "{}", diagnosis.answer);
}

#[test]
fn no_two_checks_have_the_same_place() {
    for pair in CHECKS.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        assert!(
            first.level < second.level,
            "`{}` and `{}` are both at {:?}: give one of them a place of that level that is free",
            first.name,
            second.name,
            first.level
        );
    }
}

#[test]
fn the_answer_names_three_warnings_and_findings_say_what_was_seen() {
    let diagnosis = examined_bad();
    let starts = "This machine is not set up for real-time work: 3 things matter most: a \
                  thread of policy fifo:80 waited for CPU 1 in vain: `spin` (fifo:99, process 7) \
                  has CPU 1; this process may not request a real-time policy; ";
    assert!(diagnosis.answer.starts_with(starts), "{}", diagnosis.answer);
    for (name, found) in [
        (
            "hypervisor",
            "this is a virtual machine on a host (KVM), which took CPU 1 away for 20.00 % of the time since boot",
        ),
        ("interrupt_affinity", "1 of 1 interrupts may hit CPU 1 (eth0)"),
        ("cpu_budget", "the control group may use 50000 of each 100000 µs (cpu.max)"),
        ("group_weight", "the control group has the weight 1 (default 100)"),
        ("sched_ext", "a scheduler was loaded as a program: lavd (sched_ext enabled)"),
        ("timer_slack", "this process inherited a timer slack of 5ms (default 50us)"),
    ] {
        assert_eq!(state(&diagnosis, name).1, found);
    }
    let change = |name| &finding(&diagnosis, name).change;
    assert!(change("isolation").contains("isolcpus=managed_irq,domain,1"));
    assert!(change("interrupt_affinity").contains("echo 0 | sudo tee"));
}

#[test]
fn missing_or_damaged_files_are_unknown_and_never_fail() {
    let nothing = examined(&Machine::default(), &[]);
    for name in ["preemption_model", "throttling", "swap", "irqbalance", "memory_lock"] {
        assert_eq!(state(&nothing, name).0, State::Unknown, "{name}");
    }
    assert!(nothing.answer.contains("checks could not be read"), "{}", nothing.answer);
    for nonsense in ["", "\n", "-", "nonsense", "1 2", "99999999999999999999", "\u{fffd}:::"] {
        let known = GOOD.iter().chain(BAD).map(|(path, _)| *path);
        let paths = known.chain(["proc/config.gz", "dev/cpu_dma_latency"]);
        let files: Vec<(&str, &str)> = paths.map(|path| (path, nonsense)).collect();
        let diagnosis = examined(&good(), &[&files]);
        assert_eq!(diagnosis.findings.len(), nothing.findings.len());
        for name in ["memory_lock", "cpus_allowed", "watchdogs", "throttling"] {
            let (state, found) = state(&diagnosis, name);
            assert_eq!(state, State::Unknown, "{name} of {nonsense:?}: {found}");
        }
    }
}

#[test]
fn version_one_of_control_groups_is_understood() {
    let v1: &[(&str, &str)] = &[
        ("proc/self/cgroup", "4:cpu,cpuacct:/box\n0::/\n"),
        (
            "proc/self/mountinfo",
            "30 29 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
        ),
        ("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "20000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/box/cpu.rt_runtime_us", "0\n"),
        ("boot/config-6.12.0-rt", "CONFIG_RT_GROUP_SCHED=y\n"),
    ];
    let diagnosis = examined(&good(), &[GOOD, v1]);
    assert_eq!(state(&diagnosis, "real_time_budget").0, State::Warning);
    assert_eq!(state(&diagnosis, "cpu_budget").0, State::Warning);
    // In a container, the group is the root of the visible hierarchy.
    let inside: &[(&str, &str)] = &[
        ("proc/self/cgroup", "4:cpu:/docker/12\n"),
        (
            "proc/self/mountinfo",
            "30 29 0:26 /docker/12 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
        ),
        ("sys/fs/cgroup/cpu/cpu.rt_runtime_us", "950000\n"),
        ("sys/fs/cgroup/cpu/cpu.rt_period_us", "1000000\n"),
        ("boot/config-6.12.0-rt", "CONFIG_RT_GROUP_SCHED=y\n"),
        ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
    ];
    let diagnosis = examined(&good(), &[GOOD, inside]);
    assert_eq!(
        state(&diagnosis, "cpu_budget"),
        (State::Unknown, "unknown: not all control groups of this process are mounted")
    );
    let (budget, found) = state(&diagnosis, "real_time_budget");
    assert_eq!(budget, State::Ok);
    assert!(found.contains("95 % of a CPU"), "{found}");
}

#[test]
fn capabilities_of_a_containers_own_users_do_not_count() {
    let inside: &[(&str, &str)] = &[("proc/self/uid_map", "         0       1000          1\n")];
    let outside: &[(&str, &str)] = &[("proc/self/uid_map", "0 0 4294967295\n")];
    // Inside, what a run that is refused there says too; outside, they do not lack what they hold.
    for (files, remedy) in [(inside, record::IN_USER_NAMESPACE), (outside, "security module")] {
        let diagnosis = examined(&bad(), &[GOOD, files]);
        for name in ["real_time_priority", "memory_lock"] {
            let finding = finding(&diagnosis, name);
            assert_eq!(finding.state, State::Warning, "{name}");
            assert!(finding.change.contains(remedy), "{name}: {}", finding.change);
        }
    }
}

#[test]
fn a_kernel_without_throttling_is_recognised() {
    let limited: &[(&str, &str)] = &[("proc/sys/kernel/sched_rt_runtime_us", "950000\n")];
    let groups: &[(&str, &str)] = &[("boot/config-6.12.0-rt", "CONFIG_RT_GROUP_SCHED=y\n")];
    let state_of = |machine: &Machine, files: &[&[(&str, &str)]]| {
        let diagnosis = examined(machine, &[&[GOOD, limited], files].concat());
        state(&diagnosis, "throttling").0
    };
    assert_eq!(state_of(&good(), &[]), State::Ok);
    assert_eq!(state_of(&good(), &[groups]), State::Advice);
    let older = Machine { kernel_release: "6.11.0".into(), ..good() };
    assert_eq!(state_of(&older, &[]), State::Advice);
}

#[test]
fn the_model_of_a_dynamic_kernel_comes_from_its_command_line_or_its_build() {
    let built: &[(&str, &str)] = &[("boot/config-6.12.0-rt", "CONFIG_PREEMPT_NONE=y\n")];
    for (command_line, files, expected) in [
        ("quiet", &[][..], "is dynamic,"),
        ("quiet", &[built], "is dynamic (here none),"),
        ("preempt=full", &[built], "is dynamic (here full),"),
        ("preempt=lazy", &[built], "is dynamic (here none), not rt; it does not have preempt=lazy"),
    ] {
        let machine = Machine {
            preemption: "dynamic".into(),
            kernel_version: "#1 SMP PREEMPT_DYNAMIC".into(),
            command_line: command_line.into(),
            ..good()
        };
        let diagnosis = examined(&machine, &[&[GOOD], files].concat());
        let (_, found) = state(&diagnosis, "preemption_model");
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_fingerprint_alone_gives_only_the_findings_that_it_supports() {
    let all = examined_bad();
    let alone = of_fingerprint(&bad(), &CpuSet::one(1), &[]);
    for name in ["governor", "isolation", "smt", "swap"] {
        assert_eq!(finding(&alone, name), finding(&all, name), "{name}");
    }
    for name in ["memory_lock", "cpu_budget", "watchdogs", "fair_server", "turn"] {
        assert!(alone.findings.iter().all(|f| f.name != name), "{name}");
    }
    assert!(alone.findings.iter().all(|f| f.state != State::Unknown));
}

#[test]
fn every_check_says_why_what_to_do_and_how_to_see_it() {
    let diagnosis = examined_bad();
    let names: BTreeSet<&str> = diagnosis.findings.iter().map(|f| f.name).collect();
    assert_eq!(names.len(), diagnosis.findings.len());
    for finding in &diagnosis.findings {
        let source = finding.source;
        let known = ["Documentation/", "man ", "kernel/"];
        assert!(known.iter().any(|start| source.starts_with(start)), "{source}");
        assert!(finding.why.ends_with('.') && !finding.found.ends_with('.'));
        assert!(!finding.change.contains('{') && !finding.see.contains('{'), "{finding:?}");
        assert!(finding.see.starts_with("steadfast run "), "{}", finding.see);
    }
}

#[test]
fn the_text_begins_with_the_answer_and_keeps_to_the_width() {
    let diagnosis = examined_bad();
    for width in [60, 80, 100] {
        let text = diagnosis.text(width);
        assert!(text.starts_with("This machine is not set up"));
        for line in text.lines() {
            let columns = line.chars().count();
            let is_one_word = line.split_whitespace().count() == 1;
            let is_to_copy = Some(line.trim()) == diagnosis.kernel_parameters.as_deref();
            assert!(columns <= width || is_one_word || is_to_copy, "{columns}: {line}");
        }
        let place = |heading: &str| text.find(heading).unwrap();
        assert!(place("Fix first") < place("To consider"));
    }
}

#[test]
fn programs_read_stable_names() {
    let json = serde_json::to_value(examined_bad()).unwrap();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["cpus"], "1");
    let first = &json["findings"][0];
    let names: BTreeSet<&str> = first.as_object().unwrap().keys().map(|k| &**k).collect();
    let expected = "change command found kernel_parameters knobs name see source state why";
    assert_eq!(names, expected.split(' ').collect());
    assert_eq!(first["state"], "warning");
}

/// Returns the CPUs to keep and the parameters for the kernel's command line, for a machine with
/// these CPUs and cores of which all CPUs are requested.
fn parameters(cpus: &str, cores: &[&str]) -> (String, Option<String>) {
    let machine = Machine {
        cpus: cpus.parse().unwrap(),
        smt_siblings: cores.iter().map(|core| core.parse().unwrap()).collect(),
        ..bad()
    };
    let diagnosis = of_fingerprint(&machine, &machine.cpus, &[]);
    (diagnosis.housekeeping_cpus.to_string(), diagnosis.kernel_parameters)
}

#[test]
fn some_cpus_are_never_isolated_and_these_are_named() {
    for (cpus, cores, kept, isolated) in [
        ("0-1", &["0", "1"][..], "0", "1"),
        ("0-1", &["0-1"], "0", "1"),
        ("0-3", &["0,2", "1,3"], "0,2", "1,3"),
        ("0-3", &[], "0", "1-3"),
    ] {
        let expected = format!(
            "preempt=full isolcpus=managed_irq,domain,{isolated} irqaffinity={kept} \
             transparent_hugepage=madvise"
        );
        assert_eq!(parameters(cpus, cores), (kept.to_owned(), Some(expected)));
    }
    let (kept, parameters) = parameters("0", &["0"]);
    let parameters = parameters.unwrap();
    assert!(kept.is_empty() && !parameters.contains("isolcpus"));
    assert!(!parameters.contains("nohz_full") && !parameters.contains("rcu_nocbs"));
}

#[test]
fn the_kernels_parameters_are_in_one_line_with_the_cpus_to_keep() {
    let text = examined_bad().text(60);
    let (_, line) = text.split_once("GRUB_CMDLINE_LINUX").unwrap();
    assert!(line.contains("Keep CPU 0"), "{line}");
    let line = line.lines().find(|line| line.contains("isolcpus")).unwrap();
    for parameter in ["irqaffinity=0", "nohz_full=1", "rcu_nocbs=1", "nowatchdog"] {
        assert_eq!(line.matches(parameter).count(), 1, "{line}");
    }
    assert!(!text.contains("steadfast report"), "{text}");
    assert!(text.contains("compare BEFORE"), "{text}");
    let fine = examined(&good(), &[GOOD]);
    assert_eq!(fine.kernel_parameters, None);
}

#[test]
fn the_kernels_own_forms_of_a_cpu_list_are_not_taken_for_an_empty_one() {
    for (list, expected) in [
        ("1-N", State::Ok),
        ("N", State::Ok),
        ("all", State::Ok),
        ("0", State::Advice),
        ("0-N:1/2", State::Unknown),
    ] {
        let machine = Machine {
            command_line: format!("quiet rcu_nocbs={list}"),
            nohz_full_cpus: String::new(),
            ..good()
        };
        assert_eq!(state(&examined(&machine, &[GOOD]), "rcu_callbacks").0, expected, "{list}");
    }
}

#[test]
fn a_kernel_that_cannot_stop_its_tick_gets_no_parameter_for_it() {
    let built: &[(&str, &str)] =
        &[("boot/config-6.12.0-rt", "CONFIG_HZ=250\n# CONFIG_NO_HZ_FULL is not set\n")];
    let diagnosis = examined(&bad(), &[GOOD, BAD, built]);
    let tick = finding(&diagnosis, "timer_tick");
    assert!(tick.found.contains("cannot stop the tick"), "{}", tick.found);
    assert_eq!(tick.change, "a kernel built with CONFIG_NO_HZ_FULL, booted with nohz_full=1");
    let callbacks = finding(&diagnosis, "rcu_callbacks");
    assert_eq!(
        callbacks.change,
        "a kernel built with CONFIG_RCU_NOCB_CPU, booted with rcu_nocbs=1"
    );
    let line = diagnosis.kernel_parameters.unwrap();
    assert!(!line.contains("nohz_full") && !line.contains("rcu_nocbs"), "{line}");
}

#[test]
fn a_real_time_core_neither_waits_for_the_kernel_nor_is_throttled() {
    let machine = Machine {
        preemption: "Xenomai Cobalt 3.3.1".into(),
        kernel_release: "6.6.0".into(),
        ..good()
    };
    let limited: &[(&str, &str)] = &[
        ("proc/sys/kernel/sched_rt_runtime_us", "950000\n"),
        ("sys/kernel/debug/sched/fair_server/cpu1/runtime", "50000000\n"),
    ];
    let diagnosis = examined(&machine, &[GOOD, limited]);
    for name in ["preemption_model", "throttling", "fair_server"] {
        assert_eq!(state(&diagnosis, name).0, State::Ok, "{name}");
    }
}

#[test]
fn evidence_from_runs_is_listed_in_the_order_of_its_check() {
    let evidence = |check| Evidence { check, found: "seen".into() };
    let order = |evidence: &[Evidence]| -> Vec<&str> {
        let findings = of_fingerprint(&bad(), &CpuSet::one(1), evidence).findings;
        let warnings = findings.iter().filter(|f| f.state == State::Warning);
        warnings.map(|finding| finding.name).collect()
    };
    let alone = order(&[]);
    let with = order(&["hypervisor", "fair_server", "none"].map(evidence));
    assert_eq!(with, [&alone[..], &["fair_server"]].concat());
    // The same order as on the machine itself, where more checks apply.
    let live = examined_bad().findings;
    let live: Vec<&str> = live.iter().map(|f| f.name).collect();
    let places = alone.iter().map(|name| live.iter().position(|l| l == name));
    assert!(places.is_sorted(), "{alone:?} {live:?}");
}

#[test]
fn the_check_for_limited_threads_depends_on_the_kernel() {
    for (release, preemption, check) in [
        ("6.11.0", "rt", Some("throttling")),
        ("6.12.0", "rt", Some("fair_server")),
        ("6.12.0", "Xenomai Cobalt 3.3.1", None),
        ("5.4.290", "RTAI 5.3.3, not calibrated (latency 0 ns)", None),
    ] {
        let machine =
            Machine { kernel_release: release.into(), preemption: preemption.into(), ..good() };
        assert_eq!(limiter(&machine), check);
    }
}

#[test]
fn checks_that_need_runs_find_nothing_without_them() {
    let alone = ["page_faults", "priority_inversion", "load_sensitivity"];
    let evidence = alone.map(|check| Evidence { check, found: "seen".into() });
    let diagnosis = of_fingerprint(&bad(), &CpuSet::one(1), &evidence);
    for name in alone {
        let finding = finding(&diagnosis, name);
        assert_eq!(finding.state, State::Warning);
        assert!(!finding.change.contains('{') && finding.why.ends_with('.'));
        assert!(examined_bad().findings.iter().all(|finding| finding.name != name));
    }
}

#[test]
fn the_effect_of_a_knob_is_shown_with_the_checks_that_name_it() {
    let worth = [("timer_migration", "p99 31 µs less"), ("unheard_of", "much")];
    let worth = worth.map(|(knob, words)| (knob.to_owned(), words.to_owned()));
    let diagnosis = examined_bad().with_worth(&worth.into());
    for finding in &diagnosis.findings {
        let is_named = finding.name == "timer_migration";
        let expected = is_named.then_some("timer_migration: p99 31 µs less");
        assert_eq!(finding.worth, Vec::from_iter(expected), "{}", finding.name);
    }
    assert!(diagnosis.text(80).contains("here"));
}

/// Returns the diagnosis of a machine that is not set up, with these files and command line.
fn examined_with(command_line: &str, files: &[(&str, &str)]) -> Diagnosis {
    let machine = Machine { command_line: command_line.into(), hypervisor: None, ..bad() };
    examined(&machine, &[GOOD, files])
}

#[test]
fn the_place_of_the_kernels_parameters_is_the_boot_loader_that_the_machine_has() {
    const GRUB: &str = "etc/default/grub";
    for (files, command_line, named) in [
        (&["boot/firmware/cmdline.txt"][..], "", "only line of /boot/firmware/cmdline.txt"),
        (&["boot/extlinux/extlinux.conf"], "", "boots, in /boot/extlinux/extlinux.conf"),
        (
            &["boot/extlinux/extlinux.conf", "usr/sbin/u-boot-update"],
            "",
            "U_BOOT_PARAMETERS in /etc/default/u-boot, then `sudo u-boot-update`",
        ),
        (&["etc/default/flash-kernel", "usr/sbin/flash-kernel"], "", "`sudo flash-kernel`"),
        (&["boot/uEnv.txt"], "", "`cmdline=` in /boot/uEnv.txt"),
        (&[GRUB, "usr/sbin/update-grub"], "BOOT_IMAGE=/vmlinuz", "`sudo update-grub`"),
        (&[GRUB, "usr/sbin/grubby"], "BOOT_IMAGE=(hd0,gpt2)/vmlinuz", "sudo grubby"),
        (&[GRUB, "usr/bin/grub-mkconfig"], "BOOT_IMAGE=/vmlinuz", "/boot/grub/grub.cfg"),
        // GRUB is configured, and another boot loader started the kernel.
        (&[GRUB, "usr/sbin/update-grub"], "root=/dev/sda1", "No file of a known boot loader"),
        (&["etc/kernel/cmdline", "usr/bin/kernel-install"], "ro", "line of /etc/kernel/cmdline"),
        (&["etc/fw_env.config", "usr/bin/fw_setenv"], "", "`fw_setenv`"),
        (&["etc/hostname"], "BOOT_IMAGE=/vmlinuz", "No file of a known boot loader"),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
        let words = examined_with(command_line, &files).boot_in_words();
        assert!(words.contains(named), "{files:?}: {words}");
    }
}

#[test]
fn of_several_files_the_one_counts_whose_parameters_the_kernel_runs_with() {
    const CMDLINE: (&str, &str) = ("boot/cmdline.txt", "console=ttyS0 root=/dev/sda1 quiet\n");
    const U_ENV: (&str, &str) = ("boot/uEnv.txt", "#cmdline=no\ncmdline=coherent_pool=1M quiet\n");
    const EXTLINUX: (&str, &str) = (
        "boot/firmware/extlinux/extlinux.conf",
        "label a\n  append root=/dev/a ro\nlabel b\n  APPEND ${args} root=/dev/b rw\n",
    );
    const FLASH: &[(&str, &str)] = &[
        ("etc/default/flash-kernel", "LINUX_KERNEL_CMDLINE=\"quiet panic=9\"\n"),
        ("usr/sbin/flash-kernel", ""),
    ];
    let several = [&[CMDLINE, U_ENV, EXTLINUX], FLASH].concat();
    for (command_line, named) in [
        ("bcm=1 console=ttyS0 root=/dev/sda1 quiet", "/boot/cmdline.txt"),
        ("root=/dev/a quiet coherent_pool=1M", "/boot/uEnv.txt"),
        ("root=/dev/a ro", "/boot/firmware/extlinux/extlinux.conf"),
        ("root=/dev/b rw x=1", "/boot/firmware/extlinux/extlinux.conf"),
        ("root=/dev/c quiet panic=9", "/etc/default/flash-kernel"),
        // Changed since: the one that has most in common with the command line, or the first one.
        ("root=/dev/b ro", "/boot/firmware/extlinux/extlinux.conf"),
        ("root=/dev/c coherent_pool=1M", "/boot/uEnv.txt"),
        ("no", "/boot/cmdline.txt"),
        ("", "/boot/cmdline.txt"),
    ] {
        let words = examined_with(command_line, &several).boot_in_words();
        assert!(words.contains(named), "{command_line}: {words}");
    }
}

#[test]
fn a_kernel_package_is_advised_where_the_distribution_has_one_and_boots_its_own_kernel() {
    let anywhere = "a kernel built with CONFIG_PREEMPT_RT";
    let image = ("boot/vmlinuz-6.12.0-rt", "");
    let loader = ("boot/cmdline.txt", "");
    for (id, manager, files, expected) in [
        ("debian", "apt", &[image, loader][..], "sudo apt install linux-image-rt-amd64"),
        ("\"ubuntu\"", "apt", &[image, loader], "sudo pro enable realtime-kernel"),
        ("rocky", "dnf", &[image, loader], "kernel-rt, if `dnf list"),
        ("arch", "pacman", &[image, loader], "sudo pacman -S linux-rt"),
        ("nixos", "nixos-rebuild", &[image, loader], "boot.kernelPackages"),
        ("fedora", "dnf", &[image, loader], anywhere),
        ("alpine", "apk", &[image, loader], anywhere),
        ("debian", "apk", &[image, loader], anywhere),
        ("debian", "apt", &[loader], anywhere),
        ("debian", "apt", &[image], anywhere),
        ("debian", "apt", &[image, loader, ("etc/rpi-issue", "")], "a kernel of this board"),
    ] {
        let release = format!("ID={id}\nID_LIKE=debian\n");
        let program = format!("usr/bin/{manager}");
        let system = [("etc/os-release", release.as_str()), (&program, "")];
        let diagnosis = examined_with("", &[&system, files].concat());
        let change = &finding(&diagnosis, "preemption_model").change;
        assert!(change.contains(expected), "{id}, {manager}, {files:?}: {change}");
        assert_eq!(change.contains("sudo"), expected.contains("sudo"), "{change}");
    }
}

#[test]
fn of_a_kernel_that_the_host_provides_nothing_is_advised_that_only_the_host_can_do() {
    let debian: &[(&str, &str)] = &[
        ("etc/os-release", "ID=debian\n"),
        ("usr/bin/apt", ""),
        ("etc/default/grub", ""),
        ("usr/sbin/update-grub", ""),
    ];
    let started_by_host = Machine { hypervisor: Some("KVM".into()), ..bad() };
    let diagnosis = examined(&started_by_host, &[GOOD, debian]);
    let change = |name| finding(&diagnosis, name).change.as_str();
    let kernel = "ask the host's operator for a PREEMPT_RT kernel: it comes from the host";
    assert!(change("preemption_model").starts_with(kernel));
    assert!(change("isolation").ends_with("irqaffinity=0 (set by the host)"));
    assert!(diagnosis.boot_in_words().contains("ask its operator"));
    assert!(change("hypervisor").starts_with("ask the host's operator"));
    let text = diagnosis.text(80);
    assert!(!["virsh", "apt", "grub"].iter().any(|word| text.contains(word)), "{text}");
}

#[test]
fn the_number_of_its_process_namespace_shows_a_container() {
    for (namespace, expected) in
        [("pid:[4026531836]", false), ("pid:[4026532199]", true), ("", false)]
    {
        let root = TempDir::new().unwrap();
        write(root.path(), &[("boot/vmlinuz-6.12", ""), ("proc/self/ns/net", "")]);
        if !namespace.is_empty() {
            symlink(namespace, root.path().join("proc/self/ns/pid")).unwrap();
        }
        let found = installation::of(&Tree::at(root.path()), "6.12", "", false);
        let origin = if expected { KernelOrigin::Host } else { KernelOrigin::Installed };
        assert_eq!(found.kernel_from, Some(origin), "{namespace}");
    }
}

#[test]
fn slowing_by_heat_or_low_voltage_is_found_where_it_is_reported() {
    let flags = "sys/devices/platform/soc/soc:firmware/get_throttled";
    let count = "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count";
    for (file, text, expected, words) in [
        (flags, "0\n", State::Ok, "the firmware has not slowed the CPUs since boot"),
        (flags, "50005\n", State::Warning, "firmware, now: the voltage is low, it is throttled"),
        (flags, "0x80000\n", State::Advice, "firmware, since boot: it is near its heat limit"),
        (flags, "high\n", State::Unknown, "unknown: /sys/devices/platform/soc/soc:firmware"),
        (count, "0\n", State::Ok, "heat has not slowed these CPUs since boot"),
        (count, "3\n", State::Advice, "heat has slowed these CPUs 3 times since boot"),
    ] {
        throttling_is(&[(file, text)], expected, words);
    }
    throttling_is(&[], State::Unknown, "this machine does not report it");
}

fn throttling_is(files: &[(&str, &str)], expected: State, words: &str) {
    let diagnosis = examined(&good(), &[GOOD, files]);
    let (state, found) = state(&diagnosis, "thermal_throttling");
    assert_eq!(state, expected, "{files:?}: {found}");
    assert!(found.starts_with(words), "{files:?}: {found}");
}

#[test]
fn firmware_that_does_not_show_its_flags_is_no_proof_of_full_speed() {
    let firmware = ("sys/devices/platform/soc@107c000000/soc@107c000000:firmware/modalias", "of\n");
    let supply = |alarm| {
        [
            firmware,
            ("sys/class/hwmon/hwmon1/name", "rpi_volt\n"),
            ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm),
        ]
    };
    throttling_is(&supply("1\n"), State::Warning, "firmware, now: the voltage is low");
    throttling_is(&supply("0\n"), State::Unknown, "unknown: the kernel does not show the flags");
    throttling_is(&[firmware], State::Unknown, "unknown: the kernel does not show the flags");
}

#[test]
fn cooling_devices_count_if_they_slow_these_cpus() {
    let device = |kind, state| {
        [
            ("sys/class/thermal/cooling_device0/type", kind),
            ("sys/class/thermal/cooling_device0/cur_state", state),
            ("sys/devices/system/cpu/cpu0/cpufreq/related_cpus", "0\n"),
        ]
    };
    let none = "this machine does not report it";
    let slow = "cooling devices slow these CPUs now (thermal-cpufreq-0 in state 2)";
    throttling_is(&device("thermal-cpufreq-0\n", "2\n"), State::Warning, slow);
    throttling_is(&device("Processor\n", "0\n"), State::Ok, "no cooling device slows these CPUs");
    throttling_is(&device("intel_powerclamp\n", "-1\n"), State::Ok, "no cooling device");
    throttling_is(&device("cpufreq-cpu0\n", "2\n"), State::Unknown, none);
    throttling_is(&device("cpufreq-cpu1\n", "2\n"), State::Warning, "cooling devices slow");
    throttling_is(&device("pwm-fan\n", "3\n"), State::Unknown, none);
    throttling_is(&device("Processor\n", "hot\n"), State::Unknown, "unknown: /sys/class/thermal");
}

#[test]
fn what_slowed_cpus_between_two_moments_was_so_at_one_of_them_or_is_reported_since_boot() {
    let flags = |text: &str| {
        let root = TempDir::new().unwrap();
        write(root.path(), &[("sys/devices/platform/soc/soc:firmware/get_throttled", text)]);
        Slowing::read(&Tree::at(root.path()), &CpuSet::one(1))
    };
    let (low, was_low) =
        ("firmware, now: the voltage is low", "firmware, since boot: the voltage is low");
    for (before, after, slowed) in [
        ("0", "0", &[][..]),
        ("10001", "10000", &[low]),
        ("0", "10001", &[low]),
        ("10001", "10001", &[low]),
        ("0", "10000", &[was_low]),
        ("10000", "10000", &[]),
        ("0", "senseless", &[]),
    ] {
        let found = flags(before).until(&flags(after));
        assert_eq!(found, slowed, "{before}, {after}");
    }
}
