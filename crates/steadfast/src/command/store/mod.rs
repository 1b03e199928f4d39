//! `steadfast store`: lists, shows, removes, merges, recomputes and exports stored results.

pub(crate) mod args;
pub(crate) mod changes;
mod export;
mod merge;
mod npy;
mod recompute;
mod sessions;

use std::process::ExitCode;

use anyhow::Result;

use self::args::{StoreArgs, StoreCommand};

/// Executes a command on results files.
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
