//! A kernel for 64-bit Arm in a virtual machine, with the program that CI builds for that
//! architecture: the same samples twice, the same bits as here, and the doctor from inside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::booted::{APPEND, MACHINE, finding, printed, state};
use crate::common::{Done, MODEST, PROGRAM, in_own_turn, run, run_with, steadfast};
use lab::{Architecture, Initrd, Kernels};
use serde_json::Value;
use tempfile::{TempDir, tempdir};
use testing::{boot_alone, skip};

const KERNEL: &str = "debian-6.1-rt-arm64";
const FETCH: &str =
    "lab fetch debian:6.1-rt --arch arm64 --suite bookworm --suite bookworm-security";

/// A lab with that kernel, and the program for its machines.
struct Arm {
    lab: TempDir,
    program: PathBuf,
}

impl Arm {
    /// Prepares it once for all tests; skips the test if something is missing.
    fn prepare() -> Option<&'static Self> {
        boot_alone();
        static ARM: OnceLock<Result<Arm, String>> = OnceLock::new();
        ARM.get_or_init(Self::find).as_ref().map_err(|why| skip(why.trim())).ok()
    }

    fn find() -> Result<Self, String> {
        let qemu = Command::new("qemu-system-aarch64").arg("--version").output();
        qemu.map_err(|_| "there is no qemu-system-aarch64".to_owned())?;
        let target = Path::new(PROGRAM).ancestors().nth(2).unwrap_or(Path::new(""));
        let program = target.join("aarch64-unknown-linux-gnu/debug/steadfast");
        if !program.is_file() {
            return Err("there is no program for aarch64-unknown-linux-gnu".to_owned());
        }
        let arm = Self { lab: tempdir().unwrap(), program };
        let fetched = run_with(FETCH, &[("STEADFAST_LAB", arm.lab.path())]);
        if fetched.code() == 0 { Ok(arm) } else { Err(fetched.stderr()) }
    }

    /// Returns a short run in a machine, whose samples are the same again in another one.
    fn run_twice(&self, what: &str) -> Value {
        let line = format!("run {what} --seconds 0.2 {MODEST} --json --target vm:{KERNEL}");
        let [run, again] = [(); 2].map(|()| self.run(&line).first_run());
        let samples = |run: &Value| run["conditions"]["found"]["lab"]["samples_sha256"].clone();
        assert!(samples(&run).is_string(), "{run}");
        assert_eq!(samples(&run), samples(&again), "{what}");
        run
    }

    fn run(&self, line: &str) -> Done {
        let mut command = steadfast(line);
        command.env("STEADFAST_LAB", self.lab.path()).env("STEADFAST_RUNNER", &self.program);
        Done::of(command).succeeded()
    }
}

#[test]
fn a_machine_for_arm_has_the_same_samples_twice_and_the_bits_of_this_machine() {
    const PRECISIONS: [&str; 2] = ["f64", "f32"];
    let tire = |precision: &str, target: &str| {
        format!(
            "run tire --masses 100 --steps 20 --mode real-fast --solver simd --threads 1 --precision {precision} \
             {MODEST} --json --target {target}"
        )
    };
    let hash = |done: Done| done.succeeded().first_run()["rows"][0]["state_hash"].clone();
    let here = in_own_turn(move || PRECISIONS.map(|one| hash(run(&tire(one, "local")))));
    let Some(arm) = Arm::prepare() else { return };
    let there = PRECISIONS.map(|one| hash(arm.run(&tire(one, &format!("vm:{KERNEL}")))));
    assert!(there[0].is_string(), "{there:?}");
    assert_eq!(there, here);
    for what in
        ["fifo_transfer", "wakeup --load files", "interrupt --source uio:/dev/uio0:0x60:0x64"]
    {
        arm.run_twice(what);
    }
    let run = arm.run_twice("wakeup");
    let [shortest, longest] = ["min_ns", "max_ns"].map(|name| run["rows"][0][name].as_u64());
    // The generic timer counts at 62.5 MHz.
    assert!([shortest, longest].iter().all(|ns| ns.is_some_and(|ns| ns % 16 == 0)), "{run}");
}

/// The first process of a machine: it asks the doctor. A shell for 64-bit Arm is on few hosts.
const ASKING: &str = r#"
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    mkdir("/proc", 0755);
    mkdir("/sys", 0755);
    if (mount("proc", "/proc", "proc", 0, 0) || mount("sysfs", "/sys", "sysfs", 0, 0) ||
        mount("devtmpfs", "/dev", "devtmpfs", 0, 0) || dup2(open("/dev/ttyS0", O_WRONLY), 1) < 0)
        return 1;
    return execl("/steadfast", "steadfast", "doctor", "--json", (char *)0);
}
"#;
const COMPILER: &str = "aarch64-linux-gnu-gcc";
/// The libraries with which the program of CI is linked, and their loader.
const LIBRARIES: [&str; 4] = ["ld-linux-aarch64.so.1", "libc.so.6", "libgcc_s.so.1", "libm.so.6"];
const BOARD: &str = "-machine virt -cpu cortex-a76 -smp 2";

impl Arm {
    /// Returns what the doctor says in a machine with two CPUs; skips the test without a compiler, or
    /// on a host that is too busy.
    fn ask_doctor(&self) -> Option<Value> {
        let folder = tempdir().unwrap();
        let [source, init, initrd, console, port] =
            ["init.c", "init", "initrd", "console", "port"].map(|name| folder.path().join(name));
        fs::write(&source, ASKING).unwrap();
        let compiled = Command::new(COMPILER).arg("-o").args([&init, &source]).status();
        let Ok(compiled) = compiled else {
            skip(&format!("there is no {COMPILER}"));
            return None;
        };
        assert!(compiled.success());
        let kernel = Kernels::at(self.lab.path()).find(KERNEL).unwrap();
        let libraries = LIBRARIES.map(|name| library(kernel.architecture, name));
        let mut files = Initrd::of(&kernel, fs::read(&self.program).unwrap(), libraries).unwrap();
        files.add("init", fs::read(&init).unwrap());
        fs::write(&initrd, files.pack()).unwrap();
        let mut machine = Command::new("qemu-system-aarch64");
        machine.args(BOARD.split(' ').chain(MACHINE.split(' ')));
        machine.args(["-serial", &format!("file:{}", console.display())]);
        machine.args(["-chardev", &format!("file,id=port,path={}", port.display())]);
        machine.args(["-device", "pci-serial,chardev=port"]);
        machine.args(["-append", &format!("console=ttyAMA0 {APPEND}")]);
        machine.arg("-kernel").arg(kernel.image).arg("-initrd").arg(initrd);
        printed(machine, &console, &port).map(|[doctor]| doctor)
    }
}

fn library(architecture: &Architecture, name: &str) -> PathBuf {
    let mut files = architecture.libraries.iter().map(|folder| Path::new(folder).join(name));
    files.find(|file| file.is_file()).unwrap_or_else(|| panic!("{name} is in no folder"))
}

#[test]
fn the_doctor_in_a_machine_for_arm_advises_nothing_of_another_architecture() {
    let Some(arm) = Arm::prepare() else { return };
    let Some(doctor) = arm.ask_doctor() else { return };
    assert_eq!(doctor["cpus"], "1", "{doctor}");
    for (check, expected, found) in [
        ("clock_source", "ok", "the clock source is arch_sys_counter"),
        ("preemption_model", "ok", "PREEMPT_RT"),
        ("hypervisor", "warning", "an unnamed hypervisor"),
        ("isolation", "warning", "CPU 1"),
        // QEMU has neither frequencies nor idle states, firmware that slows CPUs, nor cooling devices.
        ("governor", "unknown", "the host"),
        ("idle_states", "unknown", ""),
        ("thermal_throttling", "unknown", "only the host can see it"),
    ] {
        let words = finding(&doctor, check)["found"].as_str().unwrap();
        assert_eq!(state(&doctor, check), expected, "{check}: {words}");
        assert!(words.contains(found), "{check}: {words}");
    }
    for finding in doctor["findings"].as_array().unwrap() {
        let asked = format!("{}{}", finding["change"], finding["command"]);
        let of_x86 = ["tsc", "amd64", "x86", "intel", "nosmt"].map(|word| asked.contains(word));
        assert_eq!(of_x86, [false; 5], "{finding}");
    }
    // The timer of each CPU is an interrupt that nothing moves.
    let interrupts = finding(&doctor, "interrupt_affinity")["found"].as_str().unwrap();
    assert!(interrupts.contains("uart-pl011") && !interrupts.contains("timer"), "{interrupts}");
    let parameters =
        "isolcpus=managed_irq,domain,1 irqaffinity=0 nohz_full=1 rcu_nocbs=1 nowatchdog";
    assert_eq!(doctor["kernel_parameters"], parameters);
}
