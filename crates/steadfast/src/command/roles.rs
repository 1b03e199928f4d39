//! The internal roles of the program, each in a separate process.

use std::io::{stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use base::{CpuSet, Nanos, Policy};
use clap::Subcommand;
use knob::OnMachine;
use record::{LoadSpec, RunSpec};
use rt::streams::own_output;

/// An internal role of the program, in a separate process.
#[derive(Debug, Subcommand)]
pub(crate) enum Role {
    /// Makes one run: reads a specification on standard input, writes the recording on standard
    /// output.
    #[command(name = runner::ROLE, hide = true)]
    Runner,
    /// Makes a run in that many intervals: reads the specification of one on standard input, writes
    /// a recording of each on standard output.
    #[command(name = runner::INTERVALS, hide = true)]
    Intervals { intervals: u64 },
    /// Describes this machine to a program that plans runs on it: reads specifications on standard
    /// input, writes the answer on standard output.
    #[command(name = "role-about", hide = true)]
    About,
    /// Makes one run for a program on another machine.
    #[command(name = "role-remote", hide = true)]
    Remote {
        /// Distinguishes the runs of one program from those of another in the process list.
        mark: String,
    },
    /// Makes the runs of a virtual machine, as its first process.
    #[command(name = "role-guest", hide = true)]
    Guest,
    /// Runs the frames of one process: reads specification and start on standard input, writes the
    /// recording on standard output.
    #[command(name = "role-frame", hide = true)]
    Frame { number: usize, peer: String, work: String, intervals: Option<u64> },
    /// Steps a model under watch: reads the request on standard input, writes the observations on
    /// standard output.
    #[command(name = audit::ROLE, hide = true)]
    Audit,
    /// Continues the program that audits a model if the model stops it.
    #[command(name = audit::STANDSTILL_ROLE, hide = true)]
    AuditGuard,
    /// Turns into a model's program.
    #[command(name = measure::PROGRAM_ROLE, hide = true)]
    Program { line: String },
    /// Runs a background load until the parent ends.
    #[command(name = "role-load", hide = true)]
    Load { load: LoadSpec, cpus: CpuSet, counter: i32, memory: u64 },
    /// Causes a disturbance of known length, for a given number of bursts.
    #[command(name = "role-hog", hide = true)]
    Hog {
        name: String,
        policy: Policy,
        cpus: CpuSet,
        burst: Nanos,
        every: Nanos,
        bursts: u64,
        /// The process to stop in bursts, instead of taking a CPU
        stops: Option<i32>,
    },
    /// Reports the state of this machine's knobs.
    #[command(name = place::KNOBS, hide = true)]
    Knobs,
    /// Restores the settings that a run has changed, once its standard input has ended.
    #[command(name = runner::GUARD, hide = true)]
    KnobGuard,
}

impl Role {
    pub(crate) fn check(&self) -> Result<()> {
        let (is_it, by) = match self {
            Self::Guest => (lab::is_this_machine(), "as the first process of a machine of the lab"),
            _ => (rt::role::was_started_for_it(), "by the program itself"),
        };
        if !is_it {
            bail!(
                "this is an internal role, which is started only {by}; see `steadfast --help` for the commands"
            );
        }
        Ok(())
    }

    pub(crate) fn play(self) -> Result<ExitCode> {
        // Otherwise the kernel shows the name of the file through which it was started: `exe`.
        rt::process::name_this_thread("steadfast")?;
        let (from, to) = (&mut stdin().lock(), &mut stdout().lock());
        let played = match self {
            Self::Runner => runner::serve(from),
            Self::Intervals { intervals } => runner::serve_intervals(intervals, from),
            Self::About => {
                let specs: Vec<RunSpec> = serde_json::from_reader(from)?;
                Ok(serde_json::to_writer(to, &runner::about(&specs))?)
            }
            Self::Remote { .. } => {
                let done = place::serve_remote(from, to);
                // The run may have been killed before it could restore everything.
                runner::give_back_left_over();
                done
            }
            Self::Guest => place::serve_guest(),
            Self::Frame { number, peer, work, intervals } => {
                measure::serve_frames(number, &peer, &work, intervals, from, own_output()?)
            }
            Self::Knobs => Ok(serde_json::to_writer(to, &OnMachine::below(Path::new("/")))?),
            Self::Audit => audit::serve(from),
            Self::AuditGuard => audit::guard_standstill(to),
            Self::KnobGuard => runner::guard(from, to),
            Self::Program { line } => match measure::be_program(&line)? {},
            Self::Load { load, cpus, counter, memory } => {
                load::serve(&load, &cpus, counter, memory)
            }
            Self::Hog { name, policy, cpus, burst, every, bursts, stops } => {
                let hog = load::Hog { name, policy, cpus, burst, every, bursts, stops };
                load::hog(&hog, from, to)
            }
        };
        played.map_err(Error::msg).map(|()| ExitCode::SUCCESS)
    }
}
