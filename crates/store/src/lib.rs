//! The results database: one SQLite file that holds runs, session by session.
//!
//! A run is saved in one transaction and is there from then on, whatever happens
//! to the process or the machine. Every record carries a checksum: what is read
//! is what was saved, or an error that says what is damaged.

mod error;
mod id;
mod machine;
mod merge;
mod open;
mod record;
mod remove;
mod row;
mod run;
mod samples;
mod schema;
mod session;
mod side_files;

use std::path::{Path, PathBuf};

use plan::{Heading, Machine, Outcome, RunSpec, Track};
use rusqlite::Connection;

pub use error::{Problem, StoreError};
pub use id::SessionId;
pub use merge::Merged;
pub use session::{Session, SessionInfo};

/// A results database that is open.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    conn: Connection,
}

impl Store {
    /// Opens a store for writing. Creates the file where there is none, and
    /// brings an older schema up to date.
    ///
    /// # Errors
    /// When the file cannot be created or written, is something else than a
    /// store, belongs to a newer program, or is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_writing(path))
    }

    /// Opens an existing store for reading, also where the file or its directory
    /// cannot be written.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read, is something else than
    /// a store, belongs to a newer program, or is damaged.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_reading(path))
    }

    fn opened(path: &Path, conn: Result<Connection, Problem>) -> Result<Self, StoreError> {
        match conn {
            Ok(conn) => Ok(Self { path: path.to_owned(), conn }),
            Err(problem) => Err(StoreError::new(path, problem)),
        }
    }

    /// Begins a session: a plan of runs on one machine, in order.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin_session(
        &mut self,
        title: &str,
        plan: &[RunSpec],
        machine: &Machine,
    ) -> Result<Session, StoreError> {
        self.named(session::begin(&self.conn, title, plan, machine))
    }

    /// The newest unfinished session with this title, an equal plan and an equal
    /// machine, with the places of its plan that are done.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn resumable(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: &Machine,
    ) -> Result<Option<Session>, StoreError> {
        self.named(session::resumable(&self.conn, title, plan, machine))
    }

    /// The newest session with this title, an equal plan and an equal machine, finished or not,
    /// where some of its runs are INVALID.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn repeatable(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: &Machine,
    ) -> Result<Option<Session>, StoreError> {
        self.named(session::repeatable(&self.conn, title, plan, machine))
    }

    /// Saves the run at place `ordinal` of the session's plan (from 0), all of it
    /// or nothing, in place of an INVALID one there; `samples` are the tracks of its
    /// recording where they are to be kept. When this returns, the run outlives a power
    /// failure.
    ///
    /// # Errors
    /// When the store cannot be written, or already holds a valid run at that place.
    pub fn save(
        &mut self,
        session: &Session,
        ordinal: usize,
        outcome: &Outcome,
        samples: &[Track],
    ) -> Result<(), StoreError> {
        self.named(run::save(&self.conn, session.id, ordinal, outcome, samples))
    }

    /// Keeps what a person calls a session and says of it, in the place of what was kept.
    ///
    /// # Errors
    /// When the store cannot be written or holds no such session.
    pub fn head_session(&mut self, session: &Session, heading: &Heading) -> Result<(), StoreError> {
        self.named(session::head(&self.conn, session.id, heading))
    }

    /// Marks a session as finished, so that it is not resumed.
    ///
    /// # Errors
    /// When the store cannot be written or holds no such session.
    pub fn finish_session(&mut self, session: &Session) -> Result<(), StoreError> {
        self.named(session::finish(&self.conn, session.id))
    }

    /// Removes a session with its runs and their samples, all of it or nothing, and the machines
    /// that nothing refers to any more.
    ///
    /// # Errors
    /// When the store cannot be written or holds no such session.
    pub fn remove_session(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.named(remove::session(&self.conn, session))
    }

    /// All sessions, newest last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        self.named(session::list(&self.conn))
    }

    /// The outcomes of a session, in the order of its plan.
    ///
    /// # Errors
    /// When the store holds no such session, cannot be read, or a run in it is
    /// damaged.
    pub fn outcomes(&self, session: SessionId) -> Result<Vec<Outcome>, StoreError> {
        let mut outcomes = Vec::new();
        self.each_outcome(session, |outcome| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// Hands over the outcomes of a session one after the other, in the order of its plan.
    ///
    /// # Errors
    /// When the store holds no such session, cannot be read, or a run in it is
    /// damaged.
    pub fn each_outcome(
        &self,
        session: SessionId,
        with: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        self.named(run::each_outcome(&self.conn, session, with))
    }

    /// The outcomes of all sessions, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read, or a session or a run in it is damaged.
    pub fn all_outcomes(&self) -> Result<Vec<Outcome>, StoreError> {
        let sessions = self.sessions()?;
        let outcomes = sessions.iter().map(|session| self.outcomes(session.id));
        Ok(outcomes.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The names of a session's runs, in the order of its plan.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn run_ids(&self, session: SessionId) -> Result<Vec<String>, StoreError> {
        self.named(run::ids(&self.conn, session).map_err(Problem::from))
    }

    /// The names of all runs, the oldest session first.
    ///
    /// # Errors
    /// When the store cannot be read, or a session in it is damaged.
    pub fn all_run_ids(&self) -> Result<Vec<String>, StoreError> {
        let sessions = self.sessions()?;
        let runs = sessions.iter().map(|session| self.run_ids(session.id));
        Ok(runs.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// A run with the samples that were kept of it; none where none were kept.
    ///
    /// # Errors
    /// When the store holds no such run, cannot be read, or the run is damaged.
    pub fn run(&self, run_id: &str) -> Result<(Outcome, Vec<Track>), StoreError> {
        self.named(run::with_samples(&self.conn, run_id))
    }

    /// Puts computed rows and warnings in the place of those that runs have, of all of these
    /// runs or of none; everything else of them, their samples too, stays as it is.
    ///
    /// # Errors
    /// When the store cannot be written, holds no such run, or the run is damaged.
    pub fn recompute(&mut self, outcomes: &[Outcome]) -> Result<(), StoreError> {
        self.named(run::recompute(&self.conn, outcomes))
    }

    /// Reads everything, and so finds what is damaged.
    ///
    /// # Errors
    /// When the store cannot be read, or a session or a run in it is damaged.
    pub fn verify(&self) -> Result<(), StoreError> {
        self.named(merge::verify(&self.conn))
    }

    /// Copies all sessions and runs of the sources, all of it or nothing; what this store
    /// holds already stays as it is.
    ///
    /// # Errors
    /// When this store cannot be written, or a source cannot be read or is damaged.
    pub fn merge(&mut self, sources: &[Self]) -> Result<Merged, StoreError> {
        let connections = sources.iter().map(|source| &source.conn);
        let in_source = |number: usize, problem| StoreError::new(&sources[number].path, problem);
        let in_result = |problem| StoreError::new(&self.path, problem);
        merge::merge(&self.conn, connections, in_source, in_result)
    }

    fn named<T>(&self, result: Result<T, Problem>) -> Result<T, StoreError> {
        result.map_err(|problem| StoreError::new(&self.path, problem))
    }
}
