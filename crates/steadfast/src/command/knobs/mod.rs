//! `steadfast knobs`: the settings that may matter here, which of them do, and giving them back.

mod experiment;
#[cfg(test)]
pub(crate) use experiment::tests;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::args::SessionArgs;
use experiment::args::TryArgs;

#[derive(Debug, Args)]
pub(crate) struct KnobsArgs {
    #[command(subcommand)]
    command: KnobsCommand,
}

#[derive(Debug, Subcommand)]
enum KnobsCommand {
    /// Find out by an experiment which settings matter, and by how much
    Try(Box<TryArgs>),
}

/// Does what was asked.
pub(crate) fn knobs(args: &KnobsArgs) -> Result<ExitCode> {
    match &args.command {
        KnobsCommand::Try(args) => experiment::try_knobs(args),
    }
}

impl KnobsArgs {
    /// What a person says of what is run, where something is.
    pub(crate) fn session(&self) -> Option<&SessionArgs> {
        match &self.command {
            KnobsCommand::Try(args) => Some(&args.kept.session),
        }
    }
}
