//! Machines with several CPUs, booted with isolated ones: the doctor and the defaults from inside.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::PROGRAM;
use crate::lab_machine::{KERNEL, lab};
use lab::{Initrd, Kernels, needed_by};
use rt::process::{Pid, cpu_time, die_together};
use rt::thread::wait_for;
use serde_json::{Deserializer, Value};
use tempfile::tempdir;
use testing::skip;

/// The CPUs take turns on one of the host, which leaves the other to measurements.
pub const MACHINE: &str = "-accel tcg,thread=single -m 1024 -nodefaults -display none -no-reboot";
/// CPU time that a machine may take, and how many times as long it may take on a busy host.
const PATIENCE: Duration = Duration::from_secs(180);
const BUSY_HOST: u32 = 6;
/// The kernel ends the machine as soon as its first process has ended; it does not test its ciphers.
pub const APPEND: &str = "quiet panic=-1 rdinit=/init cryptomgr.notests";
const INIT: &str = "#!/bin/sh
mkdir /proc /sys
mkdir -m 1777 /tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t cgroup2 groups /sys/fs/cgroup
";
const DOCTOR: &str = "doctor --json";
const RUN: &str = "run wakeup --seconds 0.1 --quiet --json";
const RUN_ON_ALL: &str = "run wakeup --seconds 0.1 --cpus all --quiet --json";

/// What the first process of a machine does.
struct Script(String);

impl Script {
    fn new() -> Self {
        Self(INIT.to_owned())
    }

    fn shell(mut self, lines: &str) -> Self {
        writeln!(self.0, "{lines}").unwrap();
        self
    }

    /// Its standard output is returned by the machine.
    fn steadfast(self, line: &str) -> Self {
        self.shell(&format!("steadfast {line} > /dev/ttyS1 2> /dev/ttyS0"))
    }

    fn pack(self) -> Vec<u8> {
        let mut initrd = Initrd::default();
        const PROGRAMS: [&str; 5] =
            ["/bin/sh", "/bin/mount", "/bin/mkdir", "/usr/bin/prlimit", "/usr/bin/setpriv"];
        let programs = PROGRAMS.into_iter().chain([PROGRAM]);
        for program in programs.map(Path::new) {
            initrd.add(
                Path::new("bin").join(program.file_name().unwrap()),
                fs::read(program).unwrap(),
            );
            for library in needed_by(program.as_os_str()).unwrap() {
                initrd.add_library(&library).unwrap();
            }
        }
        initrd.add("init", self.0.into_bytes());
        initrd.pack()
    }
}

/// Returns the `N` documents that the program printed in a machine with that many CPUs. `None`, and the
/// test is skipped, if a run there did not end in time on a host that gave the machine too little CPU
/// time: the machine's clock goes on meanwhile.
fn booted<const N: usize>(
    lab: &Path,
    cpus: usize,
    parameters: &str,
    script: Script,
) -> Option<[Value; N]> {
    let folder = tempdir().unwrap();
    let [console, port, initrd] =
        ["console", "port", "initrd"].map(|name| folder.path().join(name));
    fs::write(&initrd, script.pack()).unwrap();
    let mut machine = Command::new("qemu-system-x86_64");
    machine.args(MACHINE.split(' ')).args(["-smp", &cpus.to_string()]);
    for file in [&console, &port] {
        machine.args(["-serial", &format!("file:{}", file.display())]);
    }
    machine.arg("-kernel").arg(Kernels::at(lab).find(KERNEL).unwrap().image);
    machine
        .arg("-initrd")
        .arg(&initrd)
        .args(["-append", &format!("console=ttyS0 {APPEND} {parameters}")]);
    printed(machine, &console, &port)
}

/// Returns the documents that a machine prints to its port, by the rules of [`booted`].
pub fn printed<const N: usize>(
    mut machine: Command,
    console: &Path,
    port: &Path,
) -> Option<[Value; N]> {
    die_together(&mut machine);
    let (begun, used) = (Instant::now(), until_end(machine.stdin(Stdio::null())));
    let shown = |file: &Path| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
    let (printed, reported) = (shown(port), shown(console));
    let documents: Result<Vec<Value>, _> = Deserializer::from_str(&printed).into_iter().collect();
    let documents = documents.ok().and_then(|documents| documents.try_into().ok());
    let is_starved = used < begun.elapsed() / 2 && reported.contains("did not end within");
    if documents.is_none() && is_starved {
        skip(&format!("needs a host that runs the machine: it had the CPU for {used:?}"));
        return None;
    }
    Some(documents.unwrap_or_else(|| panic!("{printed}\n{reported}")))
}

/// Runs a machine to its end; returns the CPU time that it has used.
fn until_end(machine: &mut Command) -> Duration {
    let mut machine = machine.spawn().unwrap();
    let mut used = Duration::ZERO;
    let ended = wait_for(PATIENCE * BUSY_HOST, Duration::from_millis(50), || {
        used = cpu_time(Pid::from_child(&machine)).unwrap_or(used);
        machine.try_wait().unwrap().map(|_| ()).or((used > PATIENCE).then_some(()))
    });
    let has_ended = ended.is_some() && machine.try_wait().unwrap().is_some();
    if !has_ended {
        machine.kill().unwrap();
        machine.wait().unwrap();
    }
    assert!(has_ended, "the machine did not end in {used:?} of CPU time");
    used
}

pub fn finding<'a>(doctor: &'a Value, name: &str) -> &'a Value {
    let findings = doctor["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["name"] == name).unwrap()
}

pub fn state<'a>(doctor: &'a Value, name: &str) -> &'a Value {
    &finding(doctor, name)["state"]
}

fn measured(run: &Value) -> &Value {
    &run["conditions"]["requested"]["cpus"]
}

#[test]
fn the_advised_parameters_are_done_after_a_reboot_and_the_isolated_cpu_is_measured() {
    let Some(lab) = lab() else { return };
    for (cpus, isolated, all) in [(2, "1", "0-1"), (4, "2", "0-3")] {
        let ask = Script::new().steadfast(&format!("{DOCTOR} --cpus {isolated}"));
        let Some([before]) = booted(lab, cpus, "", ask) else { return };
        assert_eq!(state(&before, "isolation"), "warning", "{before}");
        // It advises these only to a kernel whose configuration it can read.
        let parameters = format!(
            "{} nohz_full={isolated} rcu_nocbs={isolated}",
            before["kernel_parameters"].as_str().unwrap()
        );
        let script = Script::new().steadfast(DOCTOR).steadfast(RUN).steadfast(RUN_ON_ALL);
        let Some([after, run, on_all]) = booted(lab, cpus, &parameters, script) else { return };
        assert_eq!(after["cpus"], isolated);
        assert_eq!(after["kernel_parameters"], Value::Null, "{after}");
        for name in ["isolation", "timer_tick", "rcu_callbacks", "watchdogs", "cpus_allowed"] {
            assert_eq!(state(&after, name), "ok", "{name}: {after}");
        }
        assert_eq!([measured(&run), measured(&on_all)], [isolated, all]);
    }
}

const PARTITION: &str = "echo +cpuset > /sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/isolated
echo 2-3 > /sys/fs/cgroup/isolated/cpuset.cpus
echo isolated > /sys/fs/cgroup/isolated/cpuset.cpus.partition";

#[test]
fn an_isolated_partition_is_measured_from_inside_and_left_alone_from_outside() {
    let Some(lab) = lab() else { return };
    let script = Script::new().shell(PARTITION);
    let script = script.steadfast(DOCTOR).steadfast(RUN).steadfast(RUN_ON_ALL);
    let script = script.shell("echo $$ > /sys/fs/cgroup/isolated/cgroup.procs");
    let script = script.steadfast(DOCTOR).steadfast(RUN).steadfast(RUN_ON_ALL);
    let Some([doctor_outside, outside, all_outside, doctor, inside, all_inside]) =
        booted(lab, 4, "", script)
    else {
        return;
    };
    // This kernel's root group has no list of isolated CPUs.
    let outside_of = "this process may not use what is isolated: CPUs 2-3";
    assert_eq!(finding(&doctor_outside, "isolation")["found"], outside_of);
    let runs = [&outside, &all_outside, &inside, &all_inside];
    assert_eq!(runs.map(measured), ["1", "0-1", "3", "2-3"]);
    assert_eq!([&doctor["cpus"], &doctor["housekeeping_cpus"]], ["3", "0-1"]);
    for name in ["isolation", "cpus_allowed"] {
        assert_eq!(state(&doctor, name), "ok", "{name}: {doctor}");
    }
    for doctor in [&doctor_outside, &doctor] {
        let parameters = doctor["kernel_parameters"].as_str().unwrap();
        assert!(!parameters.contains("isolcpus"), "{parameters}");
    }
}

/// What a user types whose limit on real-time priorities is below the default policy.
const LIMITED: &str = "prlimit --rtprio=70 setpriv --reuid=65534 --clear-groups steadfast";

#[test]
fn below_the_default_priority_the_policy_that_the_limit_grants_is_named_and_works() {
    let Some(lab) = lab() else { return };
    let line = |line: &str| format!("{LIMITED} {line} > /dev/ttyS1 2> /dev/ttyS0");
    let run = format!("{RUN} --memory unlocked --idle-states leave --policy fifo:70");
    let script = Script::new().shell(&line(DOCTOR)).shell(&line(&run));
    // The default policy is refused at once, and the remedy is the one that works.
    let refused = script.shell(&line(&format!("{RUN} --memory unlocked --idle-states leave")));
    let Some([doctor, granted, refused]) = booted(lab, 4, "", refused) else { return };
    let remedy = "measure with `--policy fifo:70`";
    assert!(refused["warnings"].to_string().contains(remedy), "{refused}");
    let found = finding(&doctor, "real_time_priority");
    assert_eq!(found["state"], "advice");
    assert!(found["found"].as_str().unwrap().contains("(--policy fifo:70)"), "{found}");
    assert!(!granted["warnings"].to_string().contains("refused"), "{granted}");
}
