//! What can be typed after `steadfast knobs`.

use clap::{Args, Subcommand};

use super::experiment::args::TryArgs;
use super::keep::KeepArgs;
use crate::args::{PlaceArgs, SessionArgs, WordsArgs};

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct KnobsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<KnobsCommand>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) words: WordsArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnobsCommand {
    /// Find out by an experiment which settings matter for a run, and by how much
    ///
    /// Lists what it changes and asks, or is told --yes. Every setting is given back after each run,
    /// also where this program is killed.
    Try(Box<TryArgs>),
    /// Give back what a killed run has changed of this machine's settings
    #[command(
        after_help = "Every command does so when it starts.\n\nExit codes: 0 every setting is as it \
                      was; 1 one is not."
    )]
    Back(PlaceArgs),
    /// Print the settings that were shown to help, so that they survive a reboot
    Keep(KeepArgs),
}

impl KnobsArgs {
    /// What a person says of what is run, where something is.
    pub(crate) fn session(&self) -> Option<&SessionArgs> {
        match &self.command {
            Some(KnobsCommand::Try(args)) => Some(&args.kept.session),
            _ => None,
        }
    }
}
