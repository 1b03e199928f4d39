//! Executes rounds within their budget.

use std::time::Instant;

use anyhow::Result;
use units::Nanos;

use super::list::Rounds;
use super::plan::InTurns;
use crate::driver::{Ended, Here, Work, time_for_runs};
use crate::kept::KeptArgs;
use crate::place::Place;

/// Executes as many runs as the budget, which began at `started`, has room for. Results are kept in
/// a session with that title; an unfinished session is resumed.
pub(crate) fn carried_out(
    rounds: &Rounds,
    title: &str,
    kept: &KeptArgs,
    place: &Place,
    started: Instant,
    budget: Nanos,
) -> Result<Ended> {
    let specs = rounds.specs();
    place.check(&specs)?;
    let target = place.open()?;
    let mut keeping = kept.session(title, &specs, place.machine()?)?;
    let known =
        keeping.take_up(|done| format!("Resuming unfinished rounds: {done} runs are done."))?;
    let work = Work::kept(Some(keeping)).knowing(known).until(started + time_for_runs(budget));
    work.carry_out(&mut InTurns::of(rounds), &mut Here::checked(&*target))
}
