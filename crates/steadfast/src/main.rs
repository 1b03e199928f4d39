//! `steadfast`: how steady and how fast is this machine, and what size of model
//! can it hold without missing a deadline?

mod cli;
mod command;
mod options;
mod session;
mod startup;

use std::process::ExitCode;

use anyhow::{Context, Result};

use cli::{Cli, Command};
use options::{parameters, request};
use place::TargetError;
use session::progress;
use startup::exit::{EXIT_COULD_NOT_RUN, EXIT_INTERRUPTED, EXIT_NOBODY_READS};
use startup::{interrupt, output, restore};

#[global_allocator]
static HEAP: rt::heap::Heap = rt::heap::Heap;

fn main() -> ExitCode {
    match startup::found() {
        Ok(()) => startup::outlive_panics(answered),
        Err(why) => {
            output::tell(&format!("error: {why}"));
            ExitCode::from(EXIT_COULD_NOT_RUN)
        }
    }
}

/// Parses and runs the command. A separate frame, because [`main`] may have little stack.
#[inline(never)]
fn answered() -> ExitCode {
    record::leave_out_of_titles(parameters::usual);
    let cli = match Cli::typed() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    if cli.is_quiet {
        progress::silence();
    }
    let ended = done(cli.command);
    request::ssp::remove_unpacked();
    ended.unwrap_or_else(|error| {
        if output::nobody_reads(&error) {
            return ExitCode::from(EXIT_NOBODY_READS);
        }
        if let Some(TargetError::Interrupted) = error.downcast_ref() {
            return ExitCode::from(EXIT_INTERRUPTED);
        }
        output::tell(&format!("error: {error:#}"));
        ExitCode::from(EXIT_COULD_NOT_RUN)
    })
}

fn done(command: Command) -> Result<ExitCode> {
    if command.is_interrupted_with_care() {
        interrupt::listen().context("could not install the handlers of signals")?;
    }
    match &command {
        Command::Role(role) => role.check()?,
        _ => {
            output::expect_open()?;
            restore::give_back();
        }
    }
    command.carry_out()
}
