//! Removing a session, whole, or a run that another one takes the place of.

use rusqlite::{Connection, Params};

use crate::error::Problem;
use crate::id::SessionId;
use crate::record::writing;
use crate::session;

/// What a run consists of beside its record.
const PARTS: [&str; 3] = ["chunks", "tracks", "rows"];

/// Removes a session with its runs, at once or not at all.
pub(crate) fn session(conn: &Connection, session: SessionId) -> Result<(), Problem> {
    let transaction = writing(conn)?;
    session::find(&transaction, session)?;
    runs(&transaction, "session_id = ?1", [session.0])?;
    transaction.execute("DELETE FROM sessions WHERE id = ?1", [session.0])?;
    transaction.execute(
        "DELETE FROM machines WHERE id NOT IN (SELECT machine_id FROM sessions)
         AND id NOT IN (SELECT machine_id FROM runs)",
        [],
    )?;
    transaction.commit()?;
    Ok(())
}

/// Removes the INVALID run at a place of a session's plan, where there is one.
pub(crate) fn invalid(
    conn: &Connection,
    session: SessionId,
    ordinal: usize,
) -> rusqlite::Result<()> {
    let at_place = "session_id = ?1 AND ordinal = ?2 AND NOT valid";
    runs(conn, at_place, [session.0, ordinal as i64])
}

/// Removes the runs of which that is true, with all that they consist of.
fn runs(conn: &Connection, of_which: &str, values: impl Params + Clone) -> rusqlite::Result<()> {
    for part in PARTS {
        let statement = format!(
            "DELETE FROM {part} WHERE run_id IN (SELECT run_id FROM runs WHERE {of_which})"
        );
        conn.execute(&statement, values.clone())?;
    }
    conn.execute(&format!("DELETE FROM runs WHERE {of_which}"), values)?;
    Ok(())
}
