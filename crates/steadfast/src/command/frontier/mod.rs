//! `steadfast frontier`: searches, within a given time, for the largest tire that holds its rate,
//! for the limit of a user's own model, or for how much best-effort work fits into a mix of models.

pub(crate) mod args;
pub(crate) mod beside;
mod question;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use self::args::FrontierArgs;
use self::question::{search, templates};
use crate::search::{expect_runs, time_of};
use report::views::Frontier;

/// Searches within the budget, stores every run, writes the report and gives the answer.
pub(crate) fn frontier(args: &FrontierArgs) -> Result<ExitCode> {
    if let Some(plan) = &args.mix {
        return beside::beside(args, plan);
    }
    let started = Instant::now();
    let time = time_of(args.budget)?;
    let templates = templates(args)?;
    let mut search = search(args, &templates, time)?;
    let ended = search.carry_out("frontier", &templates, &args.varied, Some(started + time))?;
    expect_runs(&ended, args.budget)?;
    let found = search.findings(&ended.outcomes);
    args.varied.kept.give(
        ended,
        &args.standards(),
        &Frontier { size: args.size, search: found },
        "",
    )
}
