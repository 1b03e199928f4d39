//! The roles that this program plays for itself.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};

use plan::RunSpec;

use crate::args::{RoleFrameArgs, RoleHogArgs, RoleLoadArgs, RoleRemoteArgs};

/// What starts a role.
pub(crate) enum Starter {
    /// This program, here or at the other end of a connection.
    Program,
    /// The kernel of a machine of the lab.
    LabMachine,
}

impl Starter {
    /// Refuses a role that anything else has started.
    pub(crate) fn check(&self) -> Result<()> {
        let (is_it, by) = match self {
            Self::Program => (rt::role::was_started_for_it(), "by the program itself"),
            Self::LabMachine => (
                lab::is_this_machine(),
                "as the first process of a machine of the lab",
            ),
        };
        if !is_it {
            bail!(
                "this is a role of the program that is started {by}, and never by hand; `steadfast --help` tells what can be typed"
            );
        }
        Ok(())
    }
}

/// Makes one run: specification on standard input, recording on standard output.
pub(crate) fn role_runner() -> Result<ExitCode> {
    runner::serve(&mut stdin().lock(), &mut stdout().lock()).map_err(Error::msg)?;
    Ok(ExitCode::SUCCESS)
}

/// Says what this machine is, for whoever plans runs on it: specifications on standard
/// input, the answer on standard output.
pub(crate) fn role_about() -> Result<ExitCode> {
    let specs: Vec<RunSpec> = serde_json::from_reader(stdin().lock())?;
    serde_json::to_writer(stdout().lock(), &runner::about(&specs))?;
    Ok(ExitCode::SUCCESS)
}

/// Makes one run for a program on another machine.
pub(crate) fn role_remote(_args: &RoleRemoteArgs) -> Result<ExitCode> {
    let done = target::serve_remote(&mut stdin().lock(), &mut stdout().lock());
    // A run that was killed before it could give everything back.
    runner::give_back_left_over();
    done.map_err(Error::msg)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the runs of a virtual machine, whose first process this is.
pub(crate) fn role_guest() -> Result<ExitCode> {
    target::serve_guest().map_err(Error::msg)?;
    Ok(ExitCode::SUCCESS)
}

/// Is a background load until its parent ends.
pub(crate) fn role_load(args: &RoleLoadArgs) -> Result<ExitCode> {
    load::serve(&args.load, &args.cpus, args.counter, args.memory).map_err(Error::msg)?;
    Ok(ExitCode::SUCCESS)
}

/// Is a disturbance of known length until it has made all its bursts.
pub(crate) fn role_hog(args: RoleHogArgs) -> Result<ExitCode> {
    let hog = load::Hog {
        name: args.name,
        policy: args.policy,
        cpus: args.cpus,
        burst: args.burst,
        every: args.every,
        bursts: args.bursts,
        stops: args.stops,
    };
    load::hog(&hog, &mut stdin().lock(), &mut stdout().lock()).map_err(Error::msg)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the frames of one process: specification and start on standard input, its
/// recording on standard output.
pub(crate) fn role_frame(args: &RoleFrameArgs) -> Result<ExitCode> {
    let (from, to) = (&mut stdin().lock(), &mut stdout().lock());
    probe::serve_frames(args.number, &args.peer, from, to).map_err(Error::msg)?;
    Ok(ExitCode::SUCCESS)
}
