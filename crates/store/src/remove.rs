//! Removes a session with all that belongs to it, or a run that another one replaces.

use rusqlite::{Connection, Params};

use crate::error::StoreError;
use crate::id::SessionId;
use crate::session;
use crate::store::Store;

/// The tables with the parts of a run, in addition to its record.
const PARTS: [&str; 3] = ["chunks", "tracks", "rows"];

impl Store {
    /// Removes a session with its runs and their samples, completely or not at all, and the
    /// machines that nothing refers to any more.
    ///
    /// # Errors
    /// When the store cannot be written or contains no such session.
    pub fn remove_session(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.write(|transaction| {
            session::find(transaction, session)?;
            remove_runs(transaction, "session_id = ?1", [session.0])?;
            transaction.execute("DELETE FROM saved_runs WHERE session_id = ?1", [session.0])?;
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [session.0])?;
            transaction.execute(
                "DELETE FROM machines WHERE id NOT IN (SELECT machine_id FROM sessions)
                 AND id NOT IN (SELECT machine_id FROM runs)",
                [],
            )?;
            Ok(())
        })
    }
}

/// Removes the INVALID run at a place of a session's plan, if there is one; returns how many there were.
pub(crate) fn invalid_run(
    conn: &Connection,
    session: SessionId,
    ordinal: usize,
) -> rusqlite::Result<usize> {
    let at_place = "session_id = ?1 AND ordinal = ?2 AND NOT valid";
    remove_runs(conn, at_place, [session.0, ordinal as i64])
}

/// Removes the runs that meet a condition, with all their parts; returns how many.
fn remove_runs(
    conn: &Connection,
    of_which: &str,
    values: impl Params + Clone,
) -> rusqlite::Result<usize> {
    for part in PARTS {
        let statement = format!(
            "DELETE FROM {part} WHERE run_id IN (SELECT run_id FROM runs WHERE {of_which})"
        );
        conn.execute(&statement, values.clone())?;
    }
    conn.execute(&format!("DELETE FROM runs WHERE {of_which}"), values)
}
