//! `steadfast store`.

use std::process::ExitCode;

use anyhow::Result;
use store::Store;

use crate::args::{MergeArgs, StoreArgs, StoreCommand};
use crate::output::print;

/// Works on files of results.
pub(crate) fn store(args: &StoreArgs) -> Result<ExitCode> {
    match &args.command {
        StoreCommand::Merge(args) => merge(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Every source is read whole before the result is opened, and so created, at all.
fn merge(args: &MergeArgs) -> Result<()> {
    let sources = args.sources.iter().map(|path| Store::open_existing(path));
    let sources = sources.collect::<Result<Vec<Store>, _>>()?;
    for source in &sources {
        source.verify()?;
    }
    let merged = Store::open(&args.out)?.merge(&sources)?;
    print(&format!(
        "{}: {} runs added, {} were there before.\n",
        args.out.display(),
        merged.added,
        merged.known
    ))
}
