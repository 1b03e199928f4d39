//! `steadfast store`.

pub(crate) mod args;
mod changes;
mod export;
mod merge;
mod npy;
mod recompute;
mod sessions;

use std::process::ExitCode;

use anyhow::Result;
use store::Store;

use self::args::{StoreArgs, StoreCommand};

/// Works on files of results.
pub(crate) fn store(args: &StoreArgs) -> Result<ExitCode> {
    match &args.command {
        StoreCommand::Ls(args) => sessions::list(args),
        StoreCommand::Show(args) => sessions::show(args),
        StoreCommand::Rm(args) => sessions::remove(args),
        StoreCommand::Merge(args) => merge::merge(args),
        StoreCommand::Recompute(args) => recompute::recompute(args),
        StoreCommand::Export(args) => export::export(args),
    }
}

/// The names of all runs, session by session.
fn run_ids(store: &Store) -> Result<Vec<String>> {
    let sessions = store.sessions()?;
    let runs = sessions.iter().map(|session| store.run_ids(session.id));
    Ok(runs.collect::<Result<Vec<_>, _>>()?.concat())
}
