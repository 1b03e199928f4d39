//! Executes the runs of an experiment: all on one target, except those with knobs that a lab kernel
//! boots with.

use std::collections::BTreeMap;

use anyhow::Result;
use plan::RunSpec;
use target::Target;

use super::chosen::BOOT;
use crate::driver::{Carrier, Due, Trouble, Work, make};
use crate::place::Place;

/// One target for each set of words that its kernel boots with.
pub(super) struct Booted<'p> {
    place: &'p Place,
    open: BTreeMap<String, Box<dyn Target>>,
}

impl<'p> Booted<'p> {
    /// Creates the targets of that place; each is opened with its first run.
    pub(super) fn on(place: &'p Place) -> Self {
        Self { place, open: BTreeMap::new() }
    }

    fn target(&mut self, spec: &RunSpec) -> Result<&dyn Target> {
        let words = words(spec);
        if !self.open.contains_key(&words) {
            let place = match self.place {
                Place::Vm(kernel) => Place::Vm(format!("{kernel}{words}")),
                place => place.clone(),
            };
            self.open.insert(words.clone(), place.open()?);
        }
        Ok(&*self.open[&words])
    }
}

/// Returns what follows the name of a kernel, such as `+threadirqs+preempt=full`.
fn words(spec: &RunSpec) -> String {
    let booted = spec.asked.tried.iter().filter(|tried| tried.value.is_some());
    let words = booted.filter_map(|tried| tried.knob.strip_prefix(BOOT));
    words.map(|word| format!("+{word}")).collect()
}

impl Carrier for Booted<'_> {
    fn check(&self, due: &Due) -> Result<()> {
        self.place.check([&due.spec])
    }

    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        due.iter().try_for_each(|due| {
            let target = self.target(&due.spec).map_err(Trouble::NotMade)?;
            make(target, due, work)
        })
    }
}
