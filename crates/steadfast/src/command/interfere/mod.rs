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
use crate::place::Place;
use crate::rounds::carried_out;

/// Makes quiet runs and runs with each neighbour in turns, stores every one, writes the report and
/// says whom to fear.
pub(crate) fn interfere(args: &InterfereArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let rounds = cells::of(args)?;
    let kept = &args.kept;
    let ended = carried_out(&rounds, "interfere", kept, &Place::Local, started, args.budget)?;
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
