//! `steadfast map`: maps which sizes of the tire, or which settings of a user's own model, meet
//! every deadline on which numbers of threads.

mod pretest;
mod question;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

pub(crate) use self::question::MapArgs;
use self::question::{rows, search};
use crate::search::{expect_runs, time_of};
use report::views::Map;

/// Tries the sizes, stores every run, writes the report and prints the map.
pub(crate) fn map(args: &MapArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let time = args.budget.map(time_of).transpose()?;
    let rows = rows(args)?;
    let mut search = search(args, &rows)?;
    let until = time.map(|time| started + time);
    let ended = search.carry_out("map", &rows, &args.varied, until)?;
    if let Some(budget) = args.budget {
        expect_runs(&ended, budget)?;
    }
    let found = search.findings(&ended.outcomes);
    let kept = &args.varied.kept;
    kept.give(ended, &kept.answer.standards(), &Map { in_letters: true, search: found }, "")
}
