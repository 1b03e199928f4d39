//! A kernel for 64-bit Arm in a virtual machine, with the program that CI builds for that
//! architecture: the same samples twice, and the same bits as here.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Done, MODEST, PROGRAM, run_with, steadfast};
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
    /// Skips the test if something is missing.
    fn prepare() -> Option<Self> {
        boot_alone();
        Self::find().map_err(|why| skip(why.trim())).ok()
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
    let Some(arm) = Arm::prepare() else { return };
    for precision in ["f64", "f32"] {
        let hash = |target: &str| -> Value {
            let line = format!(
                "run tire --masses 100 --steps 20 --mode real-fast --solver simd --threads 1 --precision {precision} \
                 {MODEST} --json --target {target}"
            );
            let run = arm.run(&line).first_run();
            run["rows"][0]["state_hash"].clone()
        };
        let there = hash(&format!("vm:{KERNEL}"));
        assert!(there.is_string(), "{there}");
        assert_eq!(there, hash("local"), "{precision}");
    }
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
