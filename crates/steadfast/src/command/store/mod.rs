//! `steadfast store`: lists, shows, removes, merges, recomputes and exports stored results.

pub(crate) mod changes;
mod export;
mod recompute;
mod sessions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::counted;
use clap::Subcommand;
use store::Store;

use self::export::ExportArgs;
use self::recompute::RecomputeArgs;
use self::sessions::{ListArgs, RemoveArgs, ShowArgs};
use crate::startup::output::print;

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// List the sessions in a results file
    Ls(ListArgs),
    /// List the runs of a session, one line each; default: the newest session
    Show(ShowArgs),
    /// Remove a session with its runs and samples
    Rm(RemoveArgs),
    /// Copy sessions and runs of several files into one, without duplicates
    Merge {
        /// Results file to copy into; it is created, or added to if it exists, and not changed if a
        /// source is damaged
        #[arg(value_name = "OUT")]
        out: PathBuf,
        /// Results files to copy from
        #[arg(value_name = "STORE", required = true)]
        sources: Vec<PathBuf>,
    },
    /// Recompute rows from kept samples and report what changed
    #[command(
        after_help = "Exit codes: 0 no row changed, or changes were written; 1 rows changed; \
                            2 a run could not be computed, or no run has samples."
    )]
    Recompute(RecomputeArgs),
    /// Write kept samples to files for other programs, one per run and track
    Export(ExportArgs),
}

pub(crate) fn store(command: &StoreCommand) -> Result<ExitCode> {
    match command {
        StoreCommand::Ls(args) => sessions::list(args)?,
        StoreCommand::Show(args) => sessions::show(args)?,
        StoreCommand::Rm(args) => sessions::remove(args)?,
        StoreCommand::Merge { out, sources } => merge(out, sources)?,
        StoreCommand::Recompute(args) => return recompute::recompute(args),
        StoreCommand::Export(args) => export::export(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Merges stores; every source is checked completely before the result is opened.
fn merge(out: &Path, sources: &[PathBuf]) -> Result<()> {
    let sources = sources.iter().map(|path| Store::open_existing(path));
    let sources = sources.collect::<Result<Vec<Store>, _>>()?;
    sources.iter().try_for_each(Store::verify)?;
    let merged = Store::open(out)?.merge(&sources)?;
    let (out, added, known) = (out.display(), merged.added, merged.known);
    print(&format!("{out}: {} added, {known} already there.\n", counted(added, "run")))
}
