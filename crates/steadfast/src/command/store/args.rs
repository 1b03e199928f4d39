//! What can be typed after `steadfast store`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// List the sessions of a file of results
    Ls(FileArgs),
    /// Tell the runs of a session, the newest where none is named, a line each
    Show(ShowArgs),
    /// Remove a session with its runs and their samples
    Rm(RemoveArgs),
    /// Copy sessions and runs of several files into one, no run twice
    Merge(MergeArgs),
    /// Compute every row again from kept samples with this program, and tell what changed
    #[command(
        after_help = "Exit codes: 0 every row is as it was, or was written; 1 rows changed; \
                            2 a run could not be computed, or none has samples."
    )]
    Recompute(RecomputeArgs),
    /// Write kept samples as files for other programs, one for each run and track
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// File of results
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Number of a session, as `store ls` tells it; default: the newest
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Number of the session, as `store ls` tells it
    #[arg(value_name = "SESSION")]
    pub(crate) session: i64,
    /// Remove it: nothing brings it back
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecomputeArgs {
    /// File of results
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// Put rows that changed in the place of the old ones, all at once; samples stay
    #[arg(long)]
    pub(crate) write: bool,
    /// Tell it as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// File of results
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// The samples that `run --keep-samples` kept
    #[arg(long, required = true)]
    pub(crate) samples: bool,
    /// Directory for the files, which is made where there is none
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Comma-separated values, or an array of NumPy for each column
    #[arg(long, value_enum, default_value_t = SampleFormat::Csv)]
    pub(crate) format: SampleFormat,
}

/// How samples are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleFormat {
    Csv,
    Npy,
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
