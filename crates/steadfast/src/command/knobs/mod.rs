//! `steadfast knobs`: lists the settings that may matter here, finds which of them do, and restores
//! them.

mod back;
mod experiment;
mod keep;
mod list;

use std::process::{ExitCode, Termination};

use anyhow::Result;
use clap::{Args, Subcommand};

use self::experiment::args::TryArgs;
#[cfg(test)]
pub(crate) use self::experiment::tests;
use self::keep::KeepArgs;
#[cfg(test)]
pub(crate) use self::list::KnobList;
use crate::options::WordsArgs;
use crate::options::place::Place;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct KnobsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<KnobsCommand>,
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) words: WordsArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnobsCommand {
    /// Experiment: find which settings matter for a run, and by how much
    ///
    /// Lists what it will change and asks for consent, unless --yes is given. Every setting is
    /// restored after each run, even if this program is killed.
    Try(Box<TryArgs>),
    /// Restore settings of this machine that a killed run has changed
    #[command(
        after_help = "Every command does this when it starts.\n\nExit codes: 0 every setting is restored; \
                      1 a setting is not."
    )]
    Back {
        #[command(flatten)]
        place: Place,
        /// Print nothing if nothing is left: for a systemd unit
        #[arg(long)]
        at_boot: bool,
    },
    /// Print systemd units that look every minute for settings to restore
    Unit,
    /// Print the settings that were shown to help, in a form that survives a reboot
    Keep(KeepArgs),
}

impl KnobsArgs {
    pub(crate) fn makes_runs(&self) -> bool {
        matches!(self.command, Some(KnobsCommand::Try(_)))
    }
}

pub(crate) fn knobs(args: &KnobsArgs) -> Result<ExitCode> {
    match &args.command {
        None => list::list(&args.words, &args.place),
        Some(KnobsCommand::Try(args)) => experiment::try_knobs(args),
        Some(KnobsCommand::Back { place, at_boot }) => back::back(place, *at_boot),
        Some(KnobsCommand::Unit) => back::unit().map(Termination::report),
        Some(KnobsCommand::Keep(args)) => keep::keep(args).map(Termination::report),
    }
}
