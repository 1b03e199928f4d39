//! Executes runs one after the other on one target.

use std::collections::BTreeMap;

use anyhow::{Error, Result};
use plan::RunSpec;
use target::{Target, TargetError};

use super::{Carrier, Due, Trouble, Work};
use crate::output::tell;
use crate::place::Place;

/// How often a run is repeated if the connection was lost.
const MOST_REPEATS: usize = 3;

/// A carrier that makes one run after the other on one target.
pub(crate) struct Here<'t> {
    pub(crate) target: &'t dyn Target,
    /// The place of the target, for plans whose runs are not known in advance.
    pub(crate) place: Option<&'t Place>,
}

impl<'t> Here<'t> {
    /// Creates a carrier for runs that are known to be possible on the target.
    pub(crate) fn checked(target: &'t dyn Target) -> Self {
        Self { target, place: None }
    }
}

impl Carrier for Here<'_> {
    fn check(&self, due: &Due) -> Result<()> {
        self.place.map_or(Ok(()), |place| place.check([&due.spec]))
    }

    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        due.iter().try_for_each(|due| make(self.target, due, work))
    }

    fn occupied(&self, due: &[Due]) -> Option<Error> {
        let place = self.place?;
        due.iter().find_map(|due| place.occupied(&due.spec.asked.cpus))
    }
}

/// A carrier that makes each run on the target it names; every target is opened once.
pub(crate) struct Targets<'p> {
    open: BTreeMap<String, Box<dyn Target>>,
    of_run: Box<dyn Fn(&Due) -> Place + 'p>,
    /// Where runs are checked that are not known in advance.
    pub(crate) checked_at: Option<&'p Place>,
}

impl<'p> Targets<'p> {
    pub(crate) fn of(of_run: impl Fn(&Due) -> Place + 'p) -> Self {
        Self { open: BTreeMap::new(), of_run: Box::new(of_run), checked_at: None }
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
}

/// Makes one run on a target, and repeats it if the connection is lost.
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
