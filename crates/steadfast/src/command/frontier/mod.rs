//! `steadfast frontier`: searches, within a given time, for the largest tire that holds its rate,
//! for the limit of a user's own model, or for how much best-effort work fits into a mix of models.

pub(crate) mod args;
pub(crate) mod beside;
mod economy;
mod plan;
mod question;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use units::Nanos;

use self::args::FrontierArgs;
use self::plan::Hunt;
use self::question::Question;
use crate::driver::{Here, Work, time_for_runs};

/// The shortest budget: pilot runs and a report take a few seconds.
const LEAST_BUDGET: Nanos = Nanos(5_000_000_000);

/// Searches within the budget, stores every run, writes the report and gives the answer.
pub(crate) fn frontier(args: &FrontierArgs) -> Result<ExitCode> {
    if let Some(plan) = &args.mix {
        return beside::beside(args, plan);
    }
    let started = Instant::now();
    if args.budget < LEAST_BUDGET {
        bail!("--budget: {} is too short; the minimum is {LEAST_BUDGET}", args.budget);
    }
    let question = Question::of(args)?;
    let standards = args.standards();
    let (kept, place) = (&args.varied.kept, &args.varied.place.target);
    let target = place.open()?;
    let mut keeping = kept.session("frontier", question.templates(), place.machine()?)?;
    let known =
        keeping.take_up(|done| format!("Resuming an unfinished search: {done} runs are done."))?;
    let time = time_for_runs(args.budget);
    let mut hunt = Hunt::new(question, time);
    let work = Work::kept(Some(keeping)).knowing(known).until(started + time);
    let mut here = Here { target: &*target, place: Some(place) };
    let ended = work.carry_out(&mut hunt, &mut here)?;
    let search = economy::findings(&hunt, &ended.outcomes);
    kept.give(ended, &standards, &report::frontier(args.size, search), "")
}
