//! `steadfast`: how steady and how fast is this machine, and what size of model
//! can it hold without missing a deadline?

mod args;
mod command;
mod driver;
mod files;
mod footing;
mod interrupt;
mod kept;
mod left_over;
mod output;
mod parameters;
mod place;
mod plans;
mod progress;
mod request;
mod scale;
mod self_tests;
mod tires;

use std::process::ExitCode;

use anyhow::{Context, Result};

use args::{Cli, Command};
use command::{
    audit, bench, campaign, check, compare, doctor, echo, frontier, full, help, lab, list, map,
    ready, report, run, self_test, shell, store, watch,
};
use target::TargetError;

#[global_allocator]
static HEAP: rt::heap::Heap = rt::heap::Heap;

fn main() -> ExitCode {
    match footing::found() {
        Ok(()) => footing::outlive_panics(answered),
        Err(why) => {
            output::tell(&format!("error: {why}"));
            ExitCode::from(EXIT_COULD_NOT_RUN)
        }
    }
}

/// In a frame of its own: [`main`] may have little stack.
#[inline(never)]
fn answered() -> ExitCode {
    let command = match Cli::typed() {
        Ok(command) => command,
        Err(code) => return code,
    };
    done(command).unwrap_or_else(|error| {
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
        interrupt::listen().context("signals cannot be listened to")?;
    }
    match &command {
        Command::Role(role) => role.check()?,
        _ => {
            output::expect_open()?;
            left_over::give_back();
        }
    }
    match command {
        Command::Quick(args) => ready::ready(&plans::QUICK, &args),
        Command::Full(args) => full::full(&args),
        Command::Frames(args) => ready::ready(&plans::FRAMES, &args),
        Command::Bench(args) => bench::bench(&args),
        Command::Check(args) => check::check(&args),
        Command::Run(args) => run::run(&args),
        Command::Audit(args) => audit::audit(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::SelfTest(args) => self_test::self_test(&args),
        Command::List(args) => list::list(&args),
        Command::Lab(args) => lab::lab(&args),
        Command::Report(args) => report::report(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Watch(args) => watch::watch(&args),
        Command::Campaign(args) => campaign::campaign(&args),
        Command::Frontier(args) => frontier::frontier(&args),
        Command::Map(args) => map::map(&args),
        Command::Store(args) => store::store(&args),
        Command::Echo(args) => echo::echo(&args),
        Command::Help(args) => help::help(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
        Command::Role(role) => role.play(),
    }
}

/// A verdict failed, or a run was INVALID.
const EXIT_FAILED: u8 = 1;
/// What was asked could not be run.
const EXIT_COULD_NOT_RUN: u8 = 2;
/// A self-test could neither certify the machine nor say that something is wrong.
const EXIT_TOO_BUSY: u8 = 3;
/// A check that nothing speaks against, and too little for.
const EXIT_NOT_SHOWN: u8 = 3;
/// Ctrl-C, by the shells' convention.
const EXIT_INTERRUPTED: u8 = 130;
/// Standard output was closed, by the same convention.
const EXIT_NOBODY_READS: u8 = 141;
