//! Copies sessions and runs completely from one store to another, and no run twice.

use rusqlite::Connection;

use crate::error::Problem;
use crate::id::SessionId;
use crate::record::writing;
use crate::session::{self, Kept};
use crate::{machine, run};

/// What a merge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Runs that were copied.
    pub added: usize,
    /// Runs that were already there.
    pub known: usize,
}

/// Reads everything, as a copy would.
pub(crate) fn verify(conn: &Connection) -> Result<(), Problem> {
    let machines = machine::all(conn)?;
    for session in session::all(conn)? {
        for run_id in run::ids(conn, session.id())? {
            run::whole(conn, &run_id, &machines)?;
        }
    }
    Ok(())
}

/// Copies everything in the sources, completely or not at all; `in_source` adds to a problem which
/// source has it.
pub(crate) fn merge<'s, E>(
    conn: &Connection,
    sources: impl IntoIterator<Item = &'s Connection>,
    in_source: impl Fn(usize, Problem) -> E,
    in_result: impl Fn(Problem) -> E,
) -> Result<Merged, E> {
    let transaction = writing(conn).map_err(|error| in_result(error.into()))?;
    let mut merged = Merged::default();
    for (number, source) in sources.into_iter().enumerate() {
        let in_source = |problem| in_source(number, problem);
        let machines = machine::all(source).map_err(|error| in_source(error.into()))?;
        for session in session::all(source).map_err(in_source)? {
            let runs = run::ids(source, session.id()).map_err(|error| in_source(error.into()))?;
            let mut equals = equals(&transaction, &session).map_err(&in_result)?;
            for run_id in runs {
                let (run, ..) = run::whole(source, &run_id, &machines).map_err(in_source)?;
                let copied = copy(&transaction, &session, &run, &mut equals);
                if copied.map_err(&in_result)? { merged.added += 1 } else { merged.known += 1 }
            }
            session::finish_as(&transaction, equals[0], &session).map_err(&in_result)?;
        }
    }
    transaction.commit().map_err(|error| in_result(error.into()))?;
    Ok(merged)
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
    let into = match first_free(conn, equals, run)? {
        Some(equal) => equal,
        None => {
            equals.push(session::copy(conn, session)?);
            equals[equals.len() - 1]
        }
    };
    run::copy(conn, into, run)?;
    Ok(true)
}

fn first_free(
    conn: &Connection,
    sessions: &[SessionId],
    run: &run::Whole,
) -> Result<Option<SessionId>, Problem> {
    for session in sessions {
        if run::is_free(conn, *session, run)? {
            return Ok(Some(*session));
        }
    }
    Ok(None)
}
