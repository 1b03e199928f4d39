//! The runs of a map: those that a directory holds, and those that are made now.

use std::path::Path;

use anyhow::Result;
use plan::{Machine, Outcome, RunSpec};
use store::Store;
use target::Target;

use crate::campaign::Order;
use crate::place::Place;
use crate::ready::results;
use crate::session::{Ended, Keeping, carry_out};

/// Names the sessions of a map, one a round.
const TITLE: &str = "map";

/// Runs by what was asked.
pub(super) struct Known {
    store: Store,
    machine: Machine,
    target: Box<dyn Target>,
    /// Valid runs of the machine that the store held before.
    before: Vec<Outcome>,
    ended: Ended,
}

impl Known {
    /// What a directory holds of a machine.
    pub(super) fn open(out: &Path, place: &Place) -> Result<Self> {
        let store = Store::open(&results(out))?;
        let machine = place.machine()?;
        let mut before = Vec::new();
        for session in store.sessions()? {
            if *session.machine == machine && session.title == TITLE {
                before.extend(store.outcomes(session.id)?);
            }
        }
        before.retain(Outcome::is_valid);
        Ok(Self {
            store,
            machine,
            target: place.open()?,
            before,
            ended: Ended {
                outcomes: Vec::new(),
                trouble: None,
            },
        })
    }

    /// The run of a specification, where there is one; a valid one of before from now on
    /// belongs to the map.
    pub(super) fn find(&mut self, spec: &RunSpec) -> Option<&Outcome> {
        let is_of = |outcome: &Outcome| outcome.header.spec == *spec;
        if let Some(place) = self.before.iter().position(is_of) {
            let outcome = self.before.swap_remove(place);
            self.ended.outcomes.push(outcome);
        }
        self.ended.outcomes.iter().find(|outcome| is_of(outcome))
    }

    /// Makes runs in a drawn order, so that what drifts meets all of them alike. Whether all
    /// were made.
    pub(super) fn make(&mut self, specs: &[RunSpec]) -> Result<bool> {
        let lines: Vec<String> = specs.iter().map(RunSpec::title).collect();
        let order = Order::drawn_from(lines.iter().map(String::as_str));
        let places = order.places(specs.len(), 1).into_iter();
        let plan: Vec<RunSpec> = places.map(|place| specs[place].clone()).collect();
        let keeping = Keeping::begin(&mut self.store, TITLE, &plan, &self.machine, false)?;
        let target = &*self.target;
        let made = carry_out(&|_| target, &plan, Some(keeping), &mut |_, _| Ok(()))?;
        self.ended.outcomes.extend(made.outcomes);
        self.ended.trouble = made.trouble;
        Ok(self.ended.trouble.is_none())
    }

    /// Every run of the map.
    pub(super) fn into_ended(self) -> Ended {
        self.ended
    }
}
