//! What is known of a plan: it grows by one outcome at a time.

use std::collections::BTreeSet;
use std::time::Duration;

use plan::Outcome;

/// The runs that there are, in the order in which they came to be known.
#[derive(Debug, Default)]
pub(crate) struct Known {
    runs: Vec<(Option<usize>, Outcome)>,
    done: BTreeSet<usize>,
    /// How long the next run may measure, where time is limited.
    affords: Option<Duration>,
}

impl Known {
    /// Adds a run: one of this session with its ordinal, one of another session without.
    pub(crate) fn add(&mut self, ordinal: Option<usize>, outcome: Outcome) {
        self.done.extend(ordinal);
        self.runs.push((ordinal, outcome));
    }

    /// Whether this run of the session is there.
    pub(crate) fn is_done(&self, ordinal: usize) -> bool {
        self.done.contains(&ordinal)
    }

    /// Notes that a place of the session is taken.
    pub(super) fn take(&mut self, ordinals: impl IntoIterator<Item = usize>) {
        self.done.extend(ordinals);
    }

    /// A place in the session after all that are taken.
    pub(crate) fn next_ordinal(&self) -> usize {
        self.done.last().map_or(0, |last| last + 1)
    }

    /// How many outcomes there are.
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    /// How long the next run may measure; `None` where time is not limited.
    pub(crate) fn affords(&self) -> Option<Duration> {
        self.affords
    }

    /// Tells how long the next run may measure.
    pub(crate) fn afford(&mut self, time: Option<Duration>) {
        self.affords = time;
    }

    /// The outcomes that came after so many.
    pub(crate) fn since(&self, count: usize) -> impl Iterator<Item = &Outcome> {
        self.runs.iter().skip(count).map(|(_, outcome)| outcome)
    }

    /// All outcomes, those of the session in the order of their ordinals.
    pub(super) fn into_outcomes(mut self) -> Vec<Outcome> {
        self.runs.sort_by_key(|(ordinal, _)| *ordinal);
        self.runs.into_iter().map(|(_, outcome)| outcome).collect()
    }
}
