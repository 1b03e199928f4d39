//! Equal runs, until one of them decides the check.

use analysis::check::Check;
use anyhow::{Error, Result};
use plan::RunSpec;

use crate::driver::{Due, Known, Left, List, Plan};

/// A list of runs that ends when one of them breaks the limit.
pub(super) struct UntilBroken {
    list: List,
    check: Check,
    seen: usize,
    is_broken: bool,
}

impl UntilBroken {
    pub(super) fn of(runs: &[RunSpec], check: Check) -> Self {
        Self { list: List::of(runs), check, seen: 0, is_broken: false }
    }
}

impl Plan for UntilBroken {
    fn next(&mut self, known: &Known) -> Option<Due> {
        let mut new = known.since(self.seen);
        self.is_broken |= new.any(|outcome| self.check.is_broken_by(outcome));
        self.seen = known.len();
        match self.is_broken {
            true => None,
            false => self.list.next(known),
        }
    }

    fn left(&self) -> Left {
        self.list.left()
    }

    fn is_done(&self) -> bool {
        self.is_broken || self.list.is_done()
    }

    fn refused(&mut self, due: &Due, why: Error) -> Result<()> {
        self.list.refused(due, why)
    }
}
