//! Where a plan's results are kept, and which of them exist already.

use anyhow::Result;
use base::counted;
use record::{Heading, Machine, Outcome, RunSpec, Track};
use store::{Session, SessionInfo, Store, StoreError};

use super::{Due, Known};
use crate::session::progress::say;
use crate::session::rescue;

const AGAIN: &str = "A finished session is kept; everything is measured again, as another session.";
const REPEATING: &str = " The others, and those that were INVALID, are run now. To start again, use \
                         another --out.";

/// A session in a store: begun with the first run that is saved, or resumed.
pub(crate) struct Keeping {
    store: Store,
    session: Option<Session>,
    title: String,
    heading: Heading,
    plan: Vec<RunSpec>,
    machine: Machine,
    keep_samples: bool,
    repeats_invalid: bool,
}

impl Keeping {
    pub(crate) fn of(store: Store, title: &str, plan: &[RunSpec], machine: Machine) -> Self {
        Self {
            store,
            session: None,
            title: title.to_owned(),
            heading: Heading::default(),
            plan: plan.to_vec(),
            machine,
            keep_samples: false,
            repeats_invalid: false,
        }
    }

    pub(crate) fn headed(self, heading: Heading) -> Self {
        Self { heading, ..self }
    }

    pub(crate) fn with_samples(self, keep_samples: bool) -> Self {
        Self { keep_samples, ..self }
    }

    /// Makes the session repeat runs that were INVALID, also if it was finished with them.
    pub(crate) fn repeating_invalid(self) -> Self {
        Self { repeats_invalid: true, ..self }
    }

    /// Resumes the plan's unfinished session, if any, and reports it.
    pub(crate) fn take_up(&mut self) -> Result<Known> {
        let mut known = Known::default();
        self.resume()?;
        if let Some(session) = &self.session {
            for (ordinal, outcome) in session.done.iter().zip(self.store.outcomes(session.id)?) {
                if !self.repeats_invalid || outcome.is_valid() {
                    known.add(Some(*ordinal), outcome);
                }
            }
            let done = counted(known.len(), "run");
            let left = if self.repeats_invalid { REPEATING } else { "" };
            say(&format!("Resuming the last session: {done} done.{left}"));
        } else if self.repeats_invalid && self.has_finished()? {
            say(AGAIN);
        }
        Ok(known)
    }

    /// Whether the machine has a finished session with this title.
    fn has_finished(&self) -> Result<bool> {
        let is_it = |session: &SessionInfo| {
            session.title == self.title
                && *session.machine == self.machine
                && session.finished_unix_ns.is_some()
        };
        Ok(self.store.sessions()?.iter().any(is_it))
    }

    /// Takes over the machine's valid runs of all sessions with this title, and resumes its own.
    pub(crate) fn take_up_all(&mut self) -> Result<Known> {
        let mut known = Known::default();
        self.resume()?;
        for session in self.store.sessions()? {
            if *session.machine == self.machine && session.title == self.title {
                let outcomes = self.store.outcomes(session.id)?;
                for outcome in outcomes.into_iter().filter(Outcome::is_valid) {
                    known.add(None, outcome);
                }
            }
        }
        known.done.extend(self.session.iter().flat_map(|own| own.done.clone()));
        Ok(known)
    }

    /// Resumes the unfinished session for the same plan on the same machine, if there is one.
    fn resume(&mut self) -> Result<()> {
        let (title, plan, machine) = (&self.title, &self.plan, &self.machine);
        self.session = self.store.resumable(title, plan, machine)?;
        if self.session.is_none() && self.repeats_invalid {
            self.session = self.store.repeatable(title, plan, machine)?;
        }
        if let Some(session) = &self.session {
            self.store.head_session(session, &self.heading)?;
        }
        Ok(())
    }

    /// Saves a run. If the store can no longer take it, the run is saved in another file, which the
    /// error names.
    pub(super) fn save(
        &mut self,
        due: &Due,
        outcome: &Outcome,
        tracks: [&[Track]; 2],
    ) -> Result<()> {
        let Err(error) = self.save_in_store(due, outcome, tracks) else { return Ok(()) };
        Err(rescue::elsewhere(&self.store, error, &|store| {
            let rescued = Self::of(store, &self.title, &self.plan, self.machine.clone());
            let mut rescued = rescued.headed(self.heading.clone()).with_samples(self.keep_samples);
            rescued.save_in_store(due, outcome, tracks)
        }))
    }

    fn save_in_store(
        &mut self,
        due: &Due,
        outcome: &Outcome,
        tracks: [&[Track]; 2],
    ) -> Result<(), StoreError> {
        let session = match &self.session {
            Some(session) => session,
            None => {
                let started = outcome.header.started_unix_ns;
                let (title, plan) = (&self.title, &self.plan);
                let begun = self.store.begin_session(title, plan, &self.machine, started)?;
                self.store.head_session(&begun, &self.heading)?;
                self.session.insert(begun)
            }
        };
        let samples = if self.keep_samples { tracks.concat() } else { Vec::new() };
        self.store.save(session, due.ordinal, outcome, &samples)
    }

    /// Marks the session as finished, so that it is not resumed again.
    pub(super) fn finish(&mut self) -> Result<()> {
        if let Some(session) = &self.session {
            self.store.finish_session(session)?;
        }
        Ok(())
    }
}
