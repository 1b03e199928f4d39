//! `steadfast gate`: says whether something got worse, for scripts.

mod allowed;
pub(crate) mod args;
mod exact;
mod pair;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;

use anyhow::Result;

use self::args::{GateArgs, GateCommand};

pub(crate) fn gate(args: &GateArgs) -> Result<ExitCode> {
    match &args.command {
        GateCommand::Record(args) => exact::record(args),
        GateCommand::Check(args) => exact::check(args),
        GateCommand::Pair(args) => pair::pair(args),
    }
}
