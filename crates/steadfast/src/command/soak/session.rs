//! Where the intervals of a soak are stored.

use std::path::Path;

use anyhow::Result;
use plan::{Outcome, RunSpec};
use store::Store;

use crate::files::make_directory;
use crate::kept::results;

const TITLE: &str = "soak";

/// The stored intervals of a soak. In contrast to other sessions, it is continued on a machine that
/// has changed, since the change is a result; and it is never finished, so that the same command
/// after its end only prints the answer, and one with a longer time continues.
pub(crate) struct Session {
    store: Store,
    session: store::Session,
}

impl Session {
    /// Opens the soak of that run in the directory, or begins one.
    pub(crate) fn open(out: &Path, spec: &RunSpec) -> Result<Self> {
        make_directory(out)?;
        let mut store = Store::open(&results(out))?;
        let plan = std::slice::from_ref(spec);
        for known in store.sessions()?.iter().rev().filter(|known| known.title == TITLE) {
            if let Some(session) = store.resumable(TITLE, plan, &known.machine)? {
                return Ok(Self { store, session });
            }
        }
        let session = store.begin_session(TITLE, plan, &runner::fingerprint())?;
        Ok(Self { store, session })
    }

    pub(crate) fn done(&self) -> u64 {
        self.session.done.len() as u64
    }

    /// Passes on the stored intervals in order, one at a time.
    pub(crate) fn each(&self, with: &mut dyn FnMut(&Outcome)) -> Result<()> {
        Ok(self.store.each_outcome(self.session.id, |outcome| with(&outcome))?)
    }

    /// Stores an interval in one transaction.
    pub(crate) fn save(&mut self, outcome: &Outcome) -> Result<()> {
        let ordinal = self.session.done.last().map_or(0, |last| last + 1);
        self.store.save(&self.session, ordinal, outcome, &[])?;
        self.session.done.insert(ordinal);
        Ok(())
    }
}
