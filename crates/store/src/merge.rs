//! Copies sessions and runs completely from one store to another, and no run twice.

use rusqlite::Connection;

use crate::error::{Problem, StoreError};
use crate::id::SessionId;
use crate::record::writing;
use crate::session::{self, Kept};
use crate::store::Store;
use crate::{machine, run};

/// What a merge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Runs that were copied.
    pub added: usize,
    /// Runs that were already there.
    pub known: usize,
}

impl Store {
    /// Reads everything in order to find damage.
    ///
    /// # Errors
    /// When the store cannot be read, or a session or a run in it is damaged.
    pub fn verify(&self) -> Result<(), StoreError> {
        self.read(|conn| {
            let machines = machine::all(conn)?;
            for session in session::all(conn)? {
                for run_id in run::ids(conn, session.info.id)? {
                    run::whole(conn, &run_id, &machines)?;
                }
            }
            Ok(())
        })
    }

    /// Copies all sessions and runs of the sources, completely or not at all. What this store
    /// already contains stays as it is.
    ///
    /// # Errors
    /// When this store cannot be written, or a source cannot be read or is damaged.
    pub fn merge(&mut self, sources: &[Self]) -> Result<Merged, StoreError> {
        let transaction = self.read(|conn| Ok(writing(conn)?))?;
        let mut merged = Merged::default();
        for source in sources {
            let machines = source.read(|conn| Ok(machine::all(conn)?))?;
            for session in source.read(session::all)? {
                let runs = source.read(|conn| Ok(run::ids(conn, session.info.id)?))?;
                let mut equals = self.named(equals(&transaction, &session))?;
                for run_id in runs {
                    let (run, ..) = source.read(|conn| run::whole(conn, &run_id, &machines))?;
                    let copied = self.named(copy(&transaction, &session, &run, &mut equals))?;
                    if copied { merged.added += 1 } else { merged.known += 1 }
                }
                self.named(session::finish_as(&transaction, equals[0], &session))?;
            }
        }
        self.named(transaction.commit().map_err(Problem::from))?;
        Ok(merged)
    }
}

/// Returns the sessions with which a session of another store is merged: its equals, or else a
/// copy.
fn equals(conn: &Connection, session: &Kept) -> Result<Vec<SessionId>, Problem> {
    let mut equals = session::equals(conn, session)?;
    if equals.is_empty() {
        equals.push(session::copy(conn, session)?);
    }
    Ok(equals)
}

/// Copies a run that is not there yet into the first of the equal sessions in which its place is
/// free. If two copies of a file each continued the same session, the result is two sessions.
fn copy(
    conn: &Connection,
    session: &Kept,
    run: &run::Whole,
    equals: &mut Vec<SessionId>,
) -> Result<bool, Problem> {
    if run::holds(conn, run)? {
        return Ok(false);
    }
    for equal in equals.iter() {
        if run::is_free(conn, *equal, run)? {
            run::copy(conn, *equal, run)?;
            return Ok(true);
        }
    }
    let new = session::copy(conn, session)?;
    equals.push(new);
    run::copy(conn, new, run)?;
    Ok(true)
}
