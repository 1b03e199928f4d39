//! `steadfast store`: lists, shows, removes, merges, recomputes and exports stored results.

pub(crate) mod args;
pub(crate) mod changes;
mod export;
mod npy;
mod recompute;
mod sessions;

use std::process::ExitCode;

use anyhow::Result;
use store::Store;

use self::args::{MergeArgs, StoreArgs, StoreCommand};
use crate::output::print;

/// Executes a command on results files.
pub(crate) fn store(args: &StoreArgs) -> Result<ExitCode> {
    match &args.command {
        StoreCommand::Ls(args) => sessions::list(args),
        StoreCommand::Show(args) => sessions::show(args),
        StoreCommand::Rm(args) => sessions::remove(args),
        StoreCommand::Merge(args) => merge(args),
        StoreCommand::Recompute(args) => recompute::recompute(args),
        StoreCommand::Export(args) => export::export(args),
    }
}

/// Merges stores. Every source is checked completely before the result is opened, and so possibly
/// created.
fn merge(args: &MergeArgs) -> Result<ExitCode> {
    let sources = args.sources.iter().map(|path| Store::open_existing(path));
    let sources = sources.collect::<Result<Vec<Store>, _>>()?;
    for source in &sources {
        source.verify()?;
    }
    let merged = Store::open(&args.out)?.merge(&sources)?;
    print(&format!(
        "{}: {} runs added, {} already there.\n",
        args.out.display(),
        merged.added,
        merged.known
    ))?;
    Ok(ExitCode::SUCCESS)
}
