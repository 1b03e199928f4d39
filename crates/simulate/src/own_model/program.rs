//! A program in any language as a model: it attaches through `steadfast_model.h`.

use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use rt::attached::Attached;
use rt::process::Pid;
use rt::{clock, role, sched};

use super::setup::{Origin, Setup};
use super::source::{Counts, Source};
use super::times::Times;

/// Maximum time to attach, and for a step; the watchdog of this process ends it earlier.
const LONGEST: Duration = Duration::from_secs(30);
/// Maximum time for a program to end after it is requested to; then it is killed.
const LONGEST_END: Duration = Duration::from_secs(1);
/// Number of empty requests that measure the cost of switching to the program and back.
const NOTHINGS: usize = 201;

/// The role of the process that becomes the program.
pub const ROLE: &str = "role-program";

/// Replaces this process with the program of that shell command line. The program ends with the
/// thread that started this process in its role, even if it does not arrange that itself, as the
/// header does.
///
/// # Errors
/// If that thread has ended, or there is no shell.
pub fn be_program(line: &str) -> io::Result<Infallible> {
    role::die_with_starter()?;
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("exec {line}")]);
    Err(shell.env_remove(role::STARTED_BY).exec())
}

pub(super) struct Program {
    attached: Attached,
    times: Times,
    policy: base::Policy,
    switches: Option<u64>,
}

impl Source for Program {
    fn make(setup: &Setup) -> Result<Self, String> {
        let Origin::Program(line) = &setup.origin else {
            return Err("it is not a program".to_owned());
        };
        let mut command = role::command(role::program(), ROLE);
        command.arg("--").arg(line);
        let attached = Attached::start(&mut command, LONGEST).map_err(|lost| lost.to_string())?;
        let (inputs, _) = attached.sizes();
        setup.check_inputs(inputs)?;
        Ok(Self { attached, times: setup.times, policy: setup.policy, switches: None })
    }

    fn process(&self) -> Pid {
        self.attached.process()
    }

    /// Sets the policy of the program's first thread, which its other threads do not inherit.
    fn initialise(&mut self, inputs: &[Option<f64>]) -> Result<(), String> {
        let _ = sched::reset_children_of(Some(self.process()));
        sched::set_policy_of(self.attached.process(), self.policy)
            .map_err(|error| format!("its policy cannot be set to {}: {error}", self.policy))?;
        let mut times = [0; NOTHINGS];
        for time in &mut times {
            let before = clock::now();
            self.attached.nothing().map_err(|lost| lost.to_string())?;
            *time = clock::now() - before;
        }
        times.sort_unstable();
        self.switches = Some(times[NOTHINGS / 2]);
        let first: Vec<f64> = inputs.iter().map(|known| known.unwrap_or_default()).collect();
        self.attached.set(&first);
        Ok(())
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), String> {
        self.attached.set(values);
        Ok(())
    }

    #[inline]
    fn step(&mut self, number: u64) -> Result<bool, String> {
        let (time, length) = (self.times.at(number), self.times.step);
        match self.attached.step(number, time, length) {
            Ok(0) => Ok(true),
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

    /// Requests the program to end, before it would be killed with the thread that started it.
    fn finish(&mut self) {
        // An error at the end changes nothing in the measurement.
        let _ = self.attached.end(LONGEST_END);
    }
}
