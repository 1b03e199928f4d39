//! Arguments of `steadfast map`, for the tests of its parts and of the driver.

use plan::RunSpec;

use super::*;
use crate::args::after;
use crate::driver::Plan;
use crate::search::FrontierSearch;

/// Parses what is typed after `steadfast map`.
pub(crate) fn parse(line: &str) -> Result<MapArgs, clap::Error> {
    after(line)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let rows = rows(&parse(line).unwrap()).unwrap();
    (Box::new(search_of(line)), rows)
}

pub(crate) fn search_of(line: &str) -> FrontierSearch {
    let args = parse(line).unwrap();
    search(&args, &rows(&args).unwrap()).unwrap()
}
