//! Removing a session, whole.

use rusqlite::Connection;

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
    for part in PARTS {
        let statement = format!(
            "DELETE FROM {part} WHERE run_id IN (SELECT run_id FROM runs WHERE session_id = ?1)"
        );
        transaction.execute(&statement, [session.0])?;
    }
    transaction.execute("DELETE FROM runs WHERE session_id = ?1", [session.0])?;
    transaction.execute("DELETE FROM sessions WHERE id = ?1", [session.0])?;
    transaction.execute(
        "DELETE FROM machines WHERE id NOT IN (SELECT machine_id FROM sessions)
         AND id NOT IN (SELECT machine_id FROM runs)",
        [],
    )?;
    transaction.commit()?;
    Ok(())
}
