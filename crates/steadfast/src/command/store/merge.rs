//! `steadfast store merge`: copies stores into one.

use std::process::ExitCode;

use anyhow::Result;
use store::Store;

use super::args::MergeArgs;
use crate::output::print;

/// Merges stores. Every source is checked completely before the result is opened, and so possibly
/// created.
pub(super) fn merge(args: &MergeArgs) -> Result<ExitCode> {
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
