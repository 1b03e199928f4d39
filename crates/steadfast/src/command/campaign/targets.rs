//! The targets of a campaign's runs.

use anyhow::Result;
use target::Target;

use crate::driver::{Carrier, Due, Trouble, Work, make};
use crate::place::Place;
use crate::plans::Written;

/// Every target once, and the index of each run's target.
pub(super) struct Targets {
    open: Vec<Box<dyn Target>>,
    of_run: Vec<usize>,
}

impl Targets {
    /// Opens all of them, before the first run starts.
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
        Ok(Self { open: open.collect::<Result<_>>()?, of_run })
    }
}

impl Carrier for Targets {
    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        due.iter().try_for_each(|due| {
            let target = &*self.open[self.of_run[due.ordinal]];
            make(target, due, work)
        })
    }
}
