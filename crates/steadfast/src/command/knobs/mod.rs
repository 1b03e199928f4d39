//! `steadfast knobs`: lists the settings that may matter here, finds which of them do, and restores
//! them.

pub(crate) mod args;
mod back;
mod experiment;
mod keep;
mod list;
pub(crate) mod worth;

use std::process::ExitCode;

use anyhow::Result;

use self::args::{KnobsArgs, KnobsCommand};
#[cfg(test)]
pub(crate) use self::experiment::tests;

/// Lists the settings that can be tried here, tries them, restores them, or writes those that
/// helped.
pub(crate) fn knobs(args: &KnobsArgs) -> Result<ExitCode> {
    match &args.command {
        None => list::list(&args.words, &args.place.target),
        Some(KnobsCommand::Try(args)) => experiment::try_knobs(args),
        Some(KnobsCommand::Back(args)) => back::back(args),
        Some(KnobsCommand::Unit) => back::unit(),
        Some(KnobsCommand::Keep(args)) => keep::keep(args),
    }
}
