//! What can be typed after `steadfast knobs`.

use clap::{Args, Subcommand};

use crate::args::WordsArgs;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct KnobsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<KnobsCommand>,
    #[command(flatten)]
    pub(crate) words: WordsArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnobsCommand {
    /// Give back what a killed run has changed of this machine's settings
    #[command(
        after_help = "Every command does so when it starts.\n\nExit codes: 0 every setting is as it \
                      was; 1 one is not."
    )]
    Back,
}
