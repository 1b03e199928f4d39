//! The known outcomes of a plan, which grow by one at a time.

use std::collections::BTreeSet;
use std::time::Duration;

use plan::Outcome;

/// The runs that exist, in the order in which they became known.
#[derive(Debug, Default)]
pub(crate) struct Known {
    runs: Vec<(Option<usize>, Outcome)>,
    /// Ordinals of the session that are taken.
    pub(super) done: BTreeSet<usize>,
    /// How long the next run may measure; `None` if time is not limited.
    pub(crate) affords: Option<Duration>,
}

impl Known {
    /// Adds a run: one of this session with its ordinal, one of another session without.
    pub(crate) fn add(&mut self, ordinal: Option<usize>, outcome: Outcome) {
        self.done.extend(ordinal);
        self.runs.push((ordinal, outcome));
    }

    /// Returns whether the session has a run with this ordinal.
    pub(crate) fn is_done(&self, ordinal: usize) -> bool {
        self.done.contains(&ordinal)
    }

    pub(crate) fn next_ordinal(&self) -> usize {
        self.done.last().map_or(0, |last| last + 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Returns the outcomes after the first `count`.
    pub(crate) fn since(&self, count: usize) -> impl Iterator<Item = &Outcome> {
        self.runs.iter().skip(count).map(|(_, outcome)| outcome)
    }

    pub(super) fn into_outcomes(mut self) -> Vec<Outcome> {
        self.runs.sort_by_key(|(ordinal, _)| *ordinal);
        self.runs.into_iter().map(|(_, outcome)| outcome).collect()
    }
}
