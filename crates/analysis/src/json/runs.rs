//! The runs of a report, which are produced while they are written, so that a large store is never
//! in memory at once.

use plan::Outcome;
use serde::{Serialize, Serializer};

use super::run::with_histograms;
use crate::standards::Standards;

/// Runs that have not been written yet.
pub(crate) struct Runs<'a> {
    outcomes: Vec<&'a Outcome>,
    standards: &'a Standards,
}

impl<'a> Runs<'a> {
    pub fn of(outcomes: Vec<&'a Outcome>, standards: &'a Standards) -> Self {
        Self { outcomes, standards }
    }
}

impl Serialize for Runs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = |outcome: &&Outcome| with_histograms(outcome, self.standards);
        serializer.collect_seq(self.outcomes.iter().map(run))
    }
}
