//! `steadfast frontier PLAN.toml`: how much best-effort work fits in addition to the members of a
//! mix that have rates, depending on how it is scheduled.

mod choices;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use super::args::FrontierArgs;
use report::views::BestEffort;

/// Alternates runs of each choice with runs that have no best-effort work, stores every run, writes
/// the report and prints how much work fits.
pub(super) fn beside(args: &FrontierArgs, plan: &str) -> Result<ExitCode> {
    let started = Instant::now();
    let varied = &args.varied;
    let rounds = choices::of(args, plan)?;
    let (kept, place) = (&varied.kept, &varied.place.target);
    let ended = rounds.carry_out("frontier beside", kept, place, started, args.budget)?;
    kept.give(ended, &args.standards(), &BestEffort, "")
}
