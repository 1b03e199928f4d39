//! The arguments of `steadfast knobs`.

use clap::{Args, Subcommand};

use super::experiment::args::TryArgs;
use super::keep::KeepArgs;
use crate::args::{PlaceArgs, WordsArgs};

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
    Back(BackArgs),
    /// Print systemd units that look every minute for settings to restore
    Unit,
    /// Print the settings that were shown to help, in a form that survives a reboot
    Keep(KeepArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BackArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// Print nothing if nothing is left: for a systemd unit
    #[arg(long)]
    pub(crate) at_boot: bool,
}
