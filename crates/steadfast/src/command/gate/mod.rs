//! `steadfast gate`: says whether something got worse, for scripts.

mod allowed;
mod exact;
mod pair;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use self::exact::{CheckArgs, ExactArgs};
use self::pair::PairArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// Record the samples of a plan in the lab as a baseline
    Record(ExactArgs),
    /// Test whether a plan in the lab gives exactly the samples of its baseline
    ///
    /// With --draws, it tests whether no typical time is longer, as for another kernel. The exit code is
    /// 0 if all runs pass, 1 if one differs or is longer, and 3 if one is not measured.
    Check(CheckArgs),
    /// Test whether run B is worse than run A by more than a margin
    ///
    /// Both alternate in one session. The exit code is 0 if B passes, 1 if it fails, and 3 if it
    /// is undecided or not measured.
    Pair(Box<PairArgs>),
}

pub(crate) fn gate(command: &GateCommand) -> Result<ExitCode> {
    match command {
        GateCommand::Record(args) => exact::record(args),
        GateCommand::Check(args) => exact::check(args),
        GateCommand::Pair(args) => pair::pair(args),
    }
}
