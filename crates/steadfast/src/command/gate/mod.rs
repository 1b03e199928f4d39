//! `steadfast gate`: says whether something got worse, for scripts.

pub(crate) mod args;
mod pair;
mod plan;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;

use anyhow::Result;

use self::args::{GateArgs, GateCommand};

pub(crate) fn gate(args: &GateArgs) -> Result<ExitCode> {
    match &args.command {
        GateCommand::Pair(args) => pair::pair(args),
    }
}
