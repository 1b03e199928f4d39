//! Executes rounds within their budget.

use std::time::Instant;

use anyhow::Result;
use units::Nanos;

use super::list::Rounds;
use super::plan::InTurns;
use crate::driver::{Ended, Here, Keeping, Work, time_for_runs};
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
    let keeping = kept.session(title, &specs, place.machine()?)?;
    let deadline = started + time_for_runs(budget);
    carried_in_turns(InTurns::of(rounds), keeping, place, Some(deadline))
}

/// Executes the runs that are left of a session, as many as end before the deadline.
pub(crate) fn carried_in_turns(
    mut turns: InTurns,
    mut keeping: Keeping,
    place: &Place,
    deadline: Option<Instant>,
) -> Result<Ended> {
    let target = place.open()?;
    let known =
        keeping.take_up(|done| format!("Resuming unfinished rounds: {done} runs are done."))?;
    let work = Work::kept(Some(keeping)).knowing(known).until(deadline);
    work.carry_out(&mut turns, &mut Here::checked(&*target))
}
