//! `steadfast knobs`: the settings that may matter here, which of them do, and giving them back.

pub(crate) mod args;
mod back;
mod experiment;
mod json;
mod keep;
mod list;
pub(crate) mod worth;

use std::process::ExitCode;

use anyhow::Result;

use self::args::{KnobsArgs, KnobsCommand};
#[cfg(test)]
pub(crate) use self::experiment::tests;

/// Says which settings may be tried here, tries them, or gives back what was tried.
pub(crate) fn knobs(args: &KnobsArgs) -> Result<ExitCode> {
    match &args.command {
        None => list::list(&args.words, &args.place.target),
        Some(KnobsCommand::Try(args)) => experiment::try_knobs(args),
        Some(KnobsCommand::Back(place)) => back::back(&place.target),
        Some(KnobsCommand::Keep(args)) => keep::keep(args),
    }
}
