//! The roles that this program plays for itself.

use std::io::{stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::Subcommand;
use knob::OnMachine;
use plan::{LoadSpec, RunSpec};
use units::{CpuSet, Nanos, Policy};

/// What the program does for itself in a process of its own.
#[derive(Debug, Subcommand)]
pub(crate) enum Role {
    /// Makes one run: specification on standard input, recording on standard output.
    #[command(name = "role-runner", hide = true)]
    Runner,
    /// Says what this machine is, for whoever plans runs on it: specifications on standard
    /// input, the answer on standard output.
    #[command(name = "role-about", hide = true)]
    About,
    /// Makes one run for a program on another machine.
    #[command(name = "role-remote", hide = true)]
    Remote {
        /// Tells the runs of one program from those of another, in the list of processes.
        mark: String,
    },
    /// Makes the runs of a virtual machine, whose first process this is.
    #[command(name = "role-guest", hide = true)]
    Guest,
    /// Runs the frames of one process: specification and start on standard input, its
    /// recording on standard output.
    #[command(name = "role-frame", hide = true)]
    Frame { number: usize, peer: String },
    /// Steps a model under watch: what is asked on standard input, what was seen on standard
    /// output.
    #[command(name = audit::ROLE, hide = true)]
    Audit,
    /// Becomes the program of a model.
    #[command(name = probe::PROGRAM_ROLE, hide = true)]
    Program { line: String },
    /// Is a background load until its parent ends.
    #[command(name = "role-load", hide = true)]
    Load { load: LoadSpec, cpus: CpuSet, counter: i32, memory: u64 },
    /// Is a disturbance of known length until it has made all its bursts.
    #[command(name = "role-hog", hide = true)]
    Hog {
        name: String,
        policy: Policy,
        cpus: CpuSet,
        burst: Nanos,
        every: Nanos,
        bursts: u64,
        /// The process that it stops in bursts, instead of taking a CPU
        stops: Option<i32>,
    },
    /// Says how the knobs of this machine stand.
    #[command(name = target::KNOBS, hide = true)]
    Knobs,
    /// Gives back the settings of a run that is gone, once its standard input has ended.
    #[command(name = runner::GUARD, hide = true)]
    KnobGuard,
}

impl Role {
    /// Refuses a role that anything else has started than what is to start it.
    pub(crate) fn check(&self) -> Result<()> {
        let (is_it, by) = match self {
            Self::Guest => (lab::is_this_machine(), "as the first process of a machine of the lab"),
            _ => (rt::role::was_started_for_it(), "by the program itself"),
        };
        if !is_it {
            bail!(
                "this is a role of the program that is started {by}, and never by hand; `steadfast --help` tells what can be typed"
            );
        }
        Ok(())
    }

    /// Plays the role to its end.
    pub(crate) fn play(self) -> Result<ExitCode> {
        let (from, to) = (&mut stdin().lock(), &mut stdout().lock());
        match self {
            Self::Runner => runner::serve(from, to).map_err(Error::msg)?,
            Self::About => {
                let specs: Vec<RunSpec> = serde_json::from_reader(from)?;
                serde_json::to_writer(to, &runner::about(&specs))?;
            }
            Self::Remote { .. } => {
                let done = target::serve_remote(from, to);
                // A run that was killed before it could give everything back.
                runner::give_back_left_over();
                done.map_err(Error::msg)?;
            }
            Self::Guest => target::serve_guest().map_err(Error::msg)?,
            Self::Frame { number, peer } => {
                probe::serve_frames(number, &peer, from, to).map_err(Error::msg)?;
            }
            Self::Knobs => serde_json::to_writer(to, &OnMachine::below(Path::new("/")))?,
            Self::Audit => audit::serve(from).map_err(Error::msg)?,
            Self::KnobGuard => runner::guard(from, to).map_err(Error::msg)?,
            Self::Program { line } => match probe::be_program(&line)? {},
            Self::Load { load, cpus, counter, memory } => {
                load::serve(&load, &cpus, counter, memory).map_err(Error::msg)?
            }
            Self::Hog { name, policy, cpus, burst, every, bursts, stops } => {
                let hog = load::Hog { name, policy, cpus, burst, every, bursts, stops };
                load::hog(&hog, from, to).map_err(Error::msg)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
