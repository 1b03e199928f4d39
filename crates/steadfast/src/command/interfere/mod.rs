//! `steadfast interfere`: which neighbour costs a run how much, by what it does and where.

pub(crate) mod args;
mod cells;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use analysis::Analysis;
use analysis::answer::Answer;
use anyhow::Result;

use self::args::InterfereArgs;
use crate::args::Telling;
use crate::driver::{Here, Work, time_for_runs};
use crate::place::Place;
use crate::rounds::InTurns;

/// Makes quiet runs and runs with each neighbour in turns, stores every one, writes the report and
/// says whom to fear.
pub(crate) fn interfere(args: &InterfereArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let rounds = cells::of(args)?;
    let (kept, place) = (&args.kept, Place::Local);
    place.check(&rounds.specs())?;
    let target = place.open()?;
    let mut keeping = kept.session("interfere", &rounds.specs(), place.machine()?)?;
    let known = keeping.take_up(|done| {
        format!("Going on with unfinished rounds, of which {done} runs are done.")
    })?;
    let time = time_for_runs(args.budget);
    let work = Work::kept(Some(keeping))
        .knowing(known)
        .until(started + time);
    let ended = work.carry_out(&mut InTurns::of(&rounds), &mut Here::checked(&*target))?;
    kept.give(ended, &kept.answer.standards(), &Interfered, "")
}

/// What neighbours did.
struct Interfered;

impl Telling for Interfered {
    fn answer(&self, analysis: &Analysis) -> Answer {
        analysis::interference::glance(&analysis.systems, &analysis.interference)
    }

    fn details(&self, analysis: &Analysis) -> String {
        report::interference(analysis)
    }
}
