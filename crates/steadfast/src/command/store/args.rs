//! The arguments of `steadfast store`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::JsonArgs;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// List the sessions in a results file
    Ls(ListArgs),
    /// List the runs of a session, one line each; default: the newest session
    Show(ShowArgs),
    /// Remove a session with its runs and samples
    Rm(RemoveArgs),
    /// Copy sessions and runs of several files into one, without duplicates
    Merge(MergeArgs),
    /// Recompute rows from kept samples and report what changed
    #[command(
        after_help = "Exit codes: 0 no row changed, or changes were written; 1 rows changed; \
                            2 a run could not be computed, or no run has samples."
    )]
    Recompute(RecomputeArgs),
    /// Write kept samples to files for other programs, one per run and track
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Number of the session, as shown by `store ls`; default: the newest
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<i64>,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Number of the session, as shown by `store ls`
    #[arg(value_name = "SESSION")]
    pub(crate) session: i64,
    /// Confirm the removal, which cannot be undone
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecomputeArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Replace all rows that changed, atomically; samples are kept
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// Export the samples kept by `run --keep-samples`
    #[arg(long, required = true)]
    pub(crate) samples: bool,
    /// Directory for the files; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// File format: comma-separated values, or a NumPy array for each column
    #[arg(long, value_enum, default_value_t = SampleFormat::Csv)]
    pub(crate) format: SampleFormat,
}

/// The file format of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleFormat {
    Csv,
    Npy,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Results file to copy into; it is created, or added to if it exists, and not changed if a
    /// source is damaged
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// Results files to copy from
    #[arg(value_name = "STORE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
}
