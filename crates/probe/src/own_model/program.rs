//! A program of any language as a model: it attaches through `steadfast_model.h`.

use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use rt::attached::Attached;
use rt::{clock, role, sched};

use super::setup::{Origin, Setup};
use super::source::{Counts, Source};
use super::times::Times;

/// What a program may take to attach and for a step; whoever watches this process ends it
/// before.
const LONGEST: Duration = Duration::from_secs(30);
/// What a program may take to end, once it is asked to; it is killed then.
const LONGEST_END: Duration = Duration::from_secs(1);
/// Requests that ask for nothing, to know what the switches to the program and back take.
const NOTHINGS: usize = 201;

/// The role of the process that becomes the program.
pub const ROLE: &str = "role-program";

/// Becomes the program of that line of the shell, which ends with the thread that started this
/// process in its role: one that does not see to that itself, as the header does, ends too.
///
/// # Errors
/// Where that thread is gone, or there is no shell.
pub fn be_program(line: &str) -> io::Result<Infallible> {
    role::die_with_starter()?;
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("exec {line}")]);
    Err(shell.env_remove(role::STARTED_BY).exec())
}

/// A program that is attached.
pub(super) struct Program {
    attached: Attached,
    times: Times,
    policy: units::Policy,
    switches: Option<u64>,
}

impl Source for Program {
    fn make(setup: &Setup) -> Result<Self, String> {
        let Origin::Program(line) = &setup.origin else {
            return Err("it is no program".to_owned());
        };
        let mut command = role::command(role::program(), ROLE);
        command.arg("--").arg(line);
        let attached = Attached::start(&mut command, LONGEST).map_err(|lost| lost.to_string())?;
        Ok(Self { attached, times: setup.times, policy: setup.policy, switches: None })
    }

    /// Gives the program the policy that was asked for; it has its CPUs from the thread that
    /// started it.
    fn initialise(&mut self) -> Result<(), String> {
        sched::set_policy_of_process(self.attached.process(), self.policy)
            .map_err(|error| format!("it cannot have policy {}: {error}", self.policy))?;
        let mut times = [0; NOTHINGS];
        for time in &mut times {
            let before = clock::now();
            self.attached.nothing().map_err(|lost| lost.to_string())?;
            *time = clock::now() - before;
        }
        times.sort_unstable();
        self.switches = Some(times[NOTHINGS / 2]);
        Ok(())
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), String> {
        self.attached.set(values);
        Ok(())
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<(), String> {
        let (time, length) = (self.times.at(number), self.times.step);
        match self.attached.step(number, time, length) {
            Ok(0) => Ok(()),
            Ok(status) => Err(format!("its step returned {status}")),
            Err(lost) => Err(lost.to_string()),
        }
    }

    #[inline]
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), String> {
        self.attached.get(values);
        Ok(())
    }

    fn output_names(&self, _setup: &Setup) -> Vec<String> {
        let (_, outputs) = self.attached.sizes();
        (0..outputs).map(|place| format!("outputs[{place}]")).collect()
    }

    fn counts(&self) -> Counts {
        Counts { switches_ns: self.switches, ..Counts::default() }
    }

    /// The program dies with the thread that started it, and is asked to end before.
    fn finish(&mut self) {
        // How it ends changes nothing of what was measured.
        let _ = self.attached.end(LONGEST_END);
    }
}
