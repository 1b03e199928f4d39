//! The results database: one SQLite file that contains runs, grouped in sessions.
//!
//! A run is saved in one transaction and stays, whatever happens afterwards to the process or the
//! machine. Every record has a checksum: what is read is what was saved, or an error that says what
//! is damaged.

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

/// An open results database.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    conn: Connection,
}

impl Store {
    /// Opens a store for writing. Creates the file if it does not exist, and migrates an older
    /// schema.
    ///
    /// # Errors
    /// When the file cannot be created or written, is not a store, belongs to a newer program, or
    /// is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_writing(path))
    }

    /// Opens an existing store for reading, even if the file or its directory cannot be written.
    ///
    /// # Errors
    /// When the file does not exist or cannot be read, is not a store, belongs to a newer program,
    /// or is damaged.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_reading(path))
    }

    fn opened(path: &Path, conn: Result<Connection, Problem>) -> Result<Self, StoreError> {
        let conn = conn.map_err(|problem| StoreError::new(path, problem))?;
        Ok(Self { path: path.to_owned(), conn })
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

    /// Returns the newest unfinished session with this title, an equal plan and an equal machine,
    /// with the places of its plan that are done.
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

    /// Returns the newest session with this title, an equal plan and an equal machine, finished or
    /// not, if some of its runs are INVALID.
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

    /// Saves the run at place `ordinal` of the session's plan (from 0), completely or not at all,
    /// and replaces an INVALID run there. `samples` are the tracks of its recording, if they are to
    /// be kept. Once this returns, the run survives a power failure.
    ///
    /// # Errors
    /// When the store cannot be written, or already contains a valid run at that place.
    pub fn save(
        &mut self,
        session: &Session,
        ordinal: usize,
        outcome: &Outcome,
        samples: &[Track],
    ) -> Result<(), StoreError> {
        self.named(run::save(&self.conn, session.id, ordinal, outcome, samples))
    }

    /// Sets the title and note that the user gives a session; replaces the old ones.
    ///
    /// # Errors
    /// When the store cannot be written or contains no such session.
    pub fn head_session(&mut self, session: &Session, heading: &Heading) -> Result<(), StoreError> {
        self.named(session::head(&self.conn, session.id, heading))
    }

    /// Marks a session as finished, so that it is not resumed.
    ///
    /// # Errors
    /// When the store cannot be written or contains no such session.
    pub fn finish_session(&mut self, session: &Session) -> Result<(), StoreError> {
        self.named(session::finish(&self.conn, session.id))
    }

    /// Removes a session with its runs and their samples, completely or not at all, and the
    /// machines that nothing refers to any more.
    ///
    /// # Errors
    /// When the store cannot be written or contains no such session.
    pub fn remove_session(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.named(remove::session(&self.conn, session))
    }

    /// Lists all sessions, newest last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        self.named(session::list(&self.conn))
    }

    /// Returns the outcomes of a session, in the order of its plan.
    ///
    /// # Errors
    /// When the store contains no such session, cannot be read, or a run in it is damaged.
    pub fn outcomes(&self, session: SessionId) -> Result<Vec<Outcome>, StoreError> {
        let mut outcomes = Vec::new();
        self.each_outcome(session, |outcome| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// Passes on the outcomes of a session one at a time, in the order of its plan.
    ///
    /// # Errors
    /// When the store contains no such session, cannot be read, or a run in it is damaged.
    pub fn each_outcome(
        &self,
        session: SessionId,
        with: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        self.named(run::each_outcome(&self.conn, session, with))
    }

    /// Returns the outcomes of all sessions, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read, or a session or a run in it is damaged.
    pub fn all_outcomes(&self) -> Result<Vec<Outcome>, StoreError> {
        let sessions = self.sessions()?;
        let outcomes = sessions.iter().map(|session| self.outcomes(session.id));
        Ok(outcomes.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Returns the names of a session's runs, in the order of its plan.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn run_ids(&self, session: SessionId) -> Result<Vec<String>, StoreError> {
        self.named(run::ids(&self.conn, session).map_err(Problem::from))
    }

    /// Returns the names of all runs, the oldest session first.
    ///
    /// # Errors
    /// When the store cannot be read, or a session in it is damaged.
    pub fn all_run_ids(&self) -> Result<Vec<String>, StoreError> {
        let sessions = self.sessions()?;
        let runs = sessions.iter().map(|session| self.run_ids(session.id));
        Ok(runs.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Returns a run with its kept samples, if any.
    ///
    /// # Errors
    /// When the store contains no such run, cannot be read, or the run is damaged.
    pub fn run(&self, run_id: &str) -> Result<(Outcome, Vec<Track>), StoreError> {
        self.named(run::with_samples(&self.conn, run_id))
    }

    /// Replaces the rows and warnings of these runs by newly computed ones, for all runs or for
    /// none. Everything else about them stays as it is, including their samples.
    ///
    /// # Errors
    /// When the store cannot be written, contains no such run, or the run is damaged.
    pub fn recompute(&mut self, outcomes: &[Outcome]) -> Result<(), StoreError> {
        self.named(run::recompute(&self.conn, outcomes))
    }

    /// Reads everything in order to find damage.
    ///
    /// # Errors
    /// When the store cannot be read, or a session or a run in it is damaged.
    pub fn verify(&self) -> Result<(), StoreError> {
        self.named(merge::verify(&self.conn))
    }

    /// Copies all sessions and runs of the sources, completely or not at all. What this store
    /// already contains stays as it is.
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
