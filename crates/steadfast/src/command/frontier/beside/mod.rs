//! `steadfast frontier PLAN.toml`: how much best-effort work fits beside the rates of a mix, by how
//! it is scheduled.

mod choices;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use analysis::Analysis;
use analysis::answer::Answer;
use anyhow::Result;

use super::args::FrontierArgs;
use crate::args::Telling;
use crate::rounds::carried_out;

/// Makes runs with every choice in turns with runs that have no best-effort work, stores every one,
/// writes the report and says how much fits.
pub(super) fn beside(args: &FrontierArgs, plan: &str) -> Result<ExitCode> {
    let started = Instant::now();
    let varied = &args.varied;
    let rounds = choices::of(args, plan)?;
    let (kept, place) = (&varied.kept, &varied.place.target);
    let ended = carried_out(&rounds, "frontier beside", kept, place, started, args.budget)?;
    kept.give(ended, &args.standards(), &Bought, "")
}

/// What the choices bought.
struct Bought;

impl Telling for Bought {
    fn answer(&self, analysis: &Analysis) -> Answer {
        analysis::best_effort::glance(&analysis.systems, &analysis.best_effort)
    }

    fn details(&self, analysis: &Analysis) -> String {
        report::best_effort(analysis)
    }
}
