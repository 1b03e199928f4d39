//! Rounds of A, A again and B, as many as fit into the time.

use ::plan::{GateRun, GateSide, RunSpec};
use anyhow::{Error, Result};

use crate::driver::{Due, Known, Left, List, Plan};
use crate::order::Order;

/// A list of runs that ends, finished, before a run that would not fit into the time. Another gate
/// starts anew: to add runs until the answer is liked would make more of them wrong.
pub(super) struct Turns {
    list: List,
    is_over: bool,
}

impl Turns {
    /// Returns rounds in which the order of the sides is random, so that drift affects them alike.
    pub(super) fn of(sides: &[RunSpec; 3], rounds: usize) -> Self {
        let titles: Vec<String> = sides.iter().map(RunSpec::title).collect();
        let order = Order::drawn_from(titles.iter().map(String::as_str));
        let places = order.places(sides.len(), rounds).into_iter();
        let turns: Vec<RunSpec> = places.map(|place| sides[place].clone()).collect();
        Self { list: List::of(&turns), is_over: false }
    }
}

impl Plan for Turns {
    fn next(&mut self, known: &Known) -> Option<Due> {
        let due = self.list.next(known)?;
        let fits = known.affords().is_none_or(|time| time >= due.spec.asked.duration.into());
        self.is_over = !fits;
        fits.then_some(due)
    }

    fn left(&self) -> Left {
        self.list.left()
    }

    fn is_done(&self) -> bool {
        self.is_over || self.list.is_done()
    }

    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        Err(why)
    }
}

/// Returns the runs of a round: A, A again and B.
pub(super) fn sides(a: &RunSpec, b: &RunSpec, gate: impl Fn(GateSide) -> GateRun) -> [RunSpec; 3] {
    GateSide::ALL.map(|side| {
        let run = if side == GateSide::B { b } else { a };
        RunSpec { gate: Some(gate(side)), ..run.clone() }
    })
}
