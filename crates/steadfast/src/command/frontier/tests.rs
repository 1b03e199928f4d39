//! Arguments of `steadfast frontier`, for the tests of its parts and of the driver.

use std::time::Duration;

use plan::RunSpec;

use super::*;
use crate::args::after;
use crate::driver::Plan;
use crate::search::FrontierSearch;

/// Parses what is typed after `steadfast frontier`.
pub(crate) fn parse(line: &str) -> Result<FrontierArgs, clap::Error> {
    after(line)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let args = parse(line).unwrap();
    let (search, templates) = searched(&args, time_of(args.budget).unwrap()).unwrap();
    (Box::new(search), templates)
}

/// Returns the search, and the templates of its lines.
pub(crate) fn searched(
    args: &FrontierArgs,
    time: Duration,
) -> Result<(FrontierSearch, Vec<RunSpec>)> {
    let templates = templates(args)?;
    Ok((search(args, &templates, time)?, templates))
}
