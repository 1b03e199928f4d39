//! `steadfast knobs`.

pub(crate) mod args;
mod back;
mod json;
mod list;

use std::process::ExitCode;

use anyhow::Result;

use self::args::{KnobsArgs, KnobsCommand};

/// Says which settings may be tried here, and gives back what was tried.
pub(crate) fn knobs(args: &KnobsArgs) -> Result<ExitCode> {
    match &args.command {
        None => list::list(&args.words),
        Some(KnobsCommand::Back) => back::back(),
    }
}
