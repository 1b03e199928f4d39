//! Removes a session with all that belongs to it, or a run that another one replaces.

use rusqlite::{Connection, Params};

use crate::error::Problem;
use crate::id::SessionId;
use crate::record::writing;
use crate::session;

/// The tables with the parts of a run, in addition to its record.
const PARTS: [&str; 3] = ["chunks", "tracks", "rows"];

/// Removes a session with its runs, completely or not at all.
pub(crate) fn session(conn: &Connection, session: SessionId) -> Result<(), Problem> {
    let transaction = writing(conn)?;
    session::find(&transaction, session)?;
    runs(&transaction, "session_id = ?1", [session.0])?;
    transaction.execute("DELETE FROM saved_runs WHERE session_id = ?1", [session.0])?;
    transaction.execute("DELETE FROM sessions WHERE id = ?1", [session.0])?;
    transaction.execute(
        "DELETE FROM machines WHERE id NOT IN (SELECT machine_id FROM sessions)
         AND id NOT IN (SELECT machine_id FROM runs)",
        [],
    )?;
    Ok(transaction.commit()?)
}

/// Removes the INVALID run at a place of a session's plan, if there is one; returns how many there were.
pub(crate) fn invalid(
    conn: &Connection,
    session: SessionId,
    ordinal: usize,
) -> rusqlite::Result<usize> {
    let at_place = "session_id = ?1 AND ordinal = ?2 AND NOT valid";
    runs(conn, at_place, [session.0, ordinal as i64])
}

/// Removes the runs that meet a condition, with all their parts; returns how many.
fn runs(conn: &Connection, of_which: &str, values: impl Params + Clone) -> rusqlite::Result<usize> {
    for part in PARTS {
        let statement = format!(
            "DELETE FROM {part} WHERE run_id IN (SELECT run_id FROM runs WHERE {of_which})"
        );
        conn.execute(&statement, values.clone())?;
    }
    conn.execute(&format!("DELETE FROM runs WHERE {of_which}"), values)
}
