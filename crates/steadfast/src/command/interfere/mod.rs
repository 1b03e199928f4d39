//! `steadfast interfere`: measures how much each neighbour slows a run, by what it does and where.

pub(crate) mod args;
mod cells;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use self::args::InterfereArgs;
use crate::place::Place;
use report::views::Interference;

/// Alternates quiet runs with runs next to each neighbour, stores every run, writes the report and
/// prints the worst neighbour.
pub(crate) fn interfere(args: &InterfereArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let rounds = cells::of(args)?;
    let kept = &args.kept;
    let ended = rounds.carry_out("interfere", kept, &Place::Local, started, args.budget)?;
    kept.give(ended, &kept.answer.standards(), &Interference, "")
}
