//! The targets of a campaign's runs.

use anyhow::Result;
use target::Target;

use super::cross::Written;
use crate::place::Place;

/// Every target once, and which one each run has.
pub(super) struct Targets {
    open: Vec<Box<dyn Target>>,
    of_run: Vec<usize>,
}

impl Targets {
    /// Opens all of them, before the first run is made.
    pub(super) fn open(runs: &[Written]) -> Result<Self> {
        let mut places: Vec<&Place> = Vec::new();
        let mut of_run = Vec::with_capacity(runs.len());
        for run in runs {
            let known = places.iter().position(|place| **place == run.place);
            of_run.push(known.unwrap_or_else(|| {
                places.push(&run.place);
                places.len() - 1
            }));
        }
        let open = places.into_iter().map(Place::open);
        Ok(Self {
            open: open.collect::<Result<_>>()?,
            of_run,
        })
    }

    /// The target of the run with that ordinal.
    pub(super) fn of(&self, ordinal: usize) -> &dyn Target {
        &*self.open[self.of_run[ordinal]]
    }
}
