//! Alternates the reference with the other runs, and leaves out those that turn out to be
//! impossible.

use ::plan::RunSpec;

use super::list::Rounds;
use crate::driver::{Due, Known, Left, Plan, planned};

/// A run that was INVALID this often is left out, unless it is the reference.
const MOST_INVALID: usize = 2;

/// A list of runs that leaves out what turns out to be impossible, and starts no run that could not
/// end in time.
pub(crate) struct InTurns {
    turns: Vec<RunSpec>,
    next: usize,
    seen: usize,
    /// The run that is never left out, if there is one.
    reference: Option<RunSpec>,
    /// The runs that were INVALID, once for each time.
    invalid: Vec<RunSpec>,
}

impl InTurns {
    /// Returns the plan for these rounds.
    pub(crate) fn of(rounds: &Rounds) -> Self {
        Self {
            reference: Some(rounds.reference.clone()),
            ..Self::without_reference(rounds.turns())
        }
    }

    /// Returns the plan for these runs in this order, none of which is needed by all others.
    pub(crate) fn without_reference(turns: Vec<RunSpec>) -> Self {
        Self { turns, reference: None, next: 0, seen: 0, invalid: Vec::new() }
    }

    fn is_left_out(&self, spec: &RunSpec) -> bool {
        let all = self.invalid.iter().filter(|invalid| *invalid == spec);
        Some(spec) != self.reference.as_ref() && all.count() >= MOST_INVALID
    }
}

impl Plan for InTurns {
    fn next(&mut self, known: &Known) -> Option<Due> {
        let new = known.since(self.seen).filter(|run| !run.is_valid());
        self.invalid.extend(new.map(|run| run.header.spec.clone()));
        self.seen = known.len();
        let is_open = |turn: &usize| !known.is_done(*turn) && !self.is_left_out(&self.turns[*turn]);
        let turn = (self.next..self.turns.len()).find(is_open);
        self.next = turn.unwrap_or(self.turns.len());
        let spec = self.turns.get(turn?)?.clone();
        let fits = known.affords().is_none_or(|time| time >= spec.asked.duration.into());
        fits.then(|| {
            self.next += 1;
            Due { ordinal: self.next - 1, spec }
        })
    }

    fn left(&self) -> Left {
        let left = &self.turns[self.next..];
        Left { runs: Some(left.len()), time: left.iter().map(planned).sum() }
    }

    fn bears_invalid_runs(&self) -> bool {
        self.reference.is_none()
    }

    fn is_done(&self) -> bool {
        self.next == self.turns.len()
    }
}
