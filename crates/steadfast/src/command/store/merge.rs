//! `steadfast store merge`.

use std::process::ExitCode;

use anyhow::Result;
use store::Store;

use super::args::MergeArgs;
use crate::output::print;

/// Every source is read whole before the result is opened, and so created, at all.
pub(super) fn merge(args: &MergeArgs) -> Result<ExitCode> {
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
    ))?;
    Ok(ExitCode::SUCCESS)
}
