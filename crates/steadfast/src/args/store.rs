//! What can be typed after `steadfast store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Copy sessions and runs of several files into one, no run twice
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The file to copy into, which is created or added to; it stays as it is where a
    /// source is damaged
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// Files to copy from
    #[arg(value_name = "STORE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
}
