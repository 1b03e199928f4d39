//! Executes runs one after the other on their targets.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Error, Result};
use place::{Target, TargetError};
use record::RunSpec;

use super::{Carrier, Due, Trouble, Work};
use crate::options::place::Place;
use crate::startup::output::tell;

/// How often a run is repeated if the connection was lost.
const MOST_REPEATS: usize = 3;

/// A carrier that makes each run on the target it names; every target is opened once.
pub(crate) struct Targets<'p> {
    open: BTreeMap<String, Arc<dyn Target + 'p>>,
    of_run: Box<dyn Fn(&Due) -> Place + 'p>,
    /// Where runs are checked that are not known in advance.
    checked_at: Option<&'p Place>,
}

impl<'p> Targets<'p> {
    pub(crate) fn of(of_run: impl Fn(&Due) -> Place + 'p) -> Self {
        Self { open: BTreeMap::new(), of_run: Box::new(of_run), checked_at: None }
    }

    pub(crate) fn at(place: &'p Place) -> Result<Self> {
        let mut targets = Self::of(|_| place.clone());
        targets.open(place)?;
        Ok(targets)
    }

    #[cfg(test)]
    pub(super) fn only(target: impl Target + 'p) -> Self {
        let mut targets = Self::of(|_| Place::Local);
        targets.open.insert(Place::Local.to_string(), Arc::new(target));
        targets
    }

    /// Makes the carrier check runs at a place, because they are not known in advance.
    pub(crate) fn checked_at(self, place: &'p Place) -> Self {
        Self { checked_at: Some(place), ..self }
    }

    pub(crate) fn open(&mut self, place: &Place) -> Result<&dyn Target> {
        let name = place.to_string();
        if !self.open.contains_key(&name) {
            self.open.insert(name.clone(), place.open()?);
        }
        Ok(&*self.open[&name])
    }
}

impl Carrier for Targets<'_> {
    fn check(&self, due: &Due) -> Result<()> {
        self.checked_at.map_or(Ok(()), |place| place.check([&due.spec]))
    }

    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        due.iter().try_for_each(|due| {
            let place = (self.of_run)(due);
            make(self.open(&place).map_err(Trouble::NotMade)?, due, work)
        })
    }

    fn occupied(&self, due: &[Due]) -> Option<Error> {
        let place = self.checked_at?;
        due.iter().find_map(|due| place.occupied(&due.spec.asked.cpus))
    }
}

fn make(target: &dyn Target, due: &Due, work: &mut Work<'_>) -> Result<(), Trouble> {
    let spec = &due.spec;
    work.begins(due);
    let waited = target.wait(spec, &mut || work.goes_on());
    waited.map_err(|error| trouble(spec, error))?;
    let run = |work: &mut Work<'_>| {
        work.measures();
        target.run(spec, &mut || work.goes_on())
    };
    let mut arrived = run(work);
    for repeat in 1..=MOST_REPEATS {
        let Err(TargetError::Lost(why)) = &arrived else {
            break;
        };
        tell(&format!("{}: {why}; repeating the run ({repeat} of {MOST_REPEATS})", spec.title()));
        arrived = run(work);
    }
    if arrived.is_err() {
        // A runner that was killed could not restore anything.
        runner::give_back_left_over();
    }
    work.came(due, &arrived.map_err(|error| trouble(spec, error))?)
}

fn trouble(spec: &RunSpec, error: TargetError) -> Trouble {
    match error {
        TargetError::Interrupted => Trouble::Interrupted,
        TargetError::Failed(why) | TargetError::Lost(why) => {
            Trouble::NotMade(Error::msg(format!("{}: {why}", spec.title())))
        }
    }
}
