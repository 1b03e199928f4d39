//! Copying sessions and runs from one store to another, whole, no run twice.

use rusqlite::Connection;

use crate::error::Problem;
use crate::record::writing;
use crate::run;
use crate::session::{self, Kept, SessionId};

/// What a merge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Runs that were copied.
    pub added: usize,
    /// Runs that were there before.
    pub known: usize,
}

/// Reads everything, as a copy would.
pub(crate) fn verify(conn: &Connection) -> Result<(), Problem> {
    for session in session::all(conn)? {
        run::whole(conn, session.id())?;
    }
    Ok(())
}

/// Copies all that the sources hold, at once or nothing; `in_source` says which source a
/// problem is of.
pub(crate) fn merge<'s, E>(
    conn: &Connection,
    sources: impl IntoIterator<Item = &'s Connection>,
    in_source: impl Fn(usize, Problem) -> E,
    in_result: impl Fn(Problem) -> E,
) -> Result<Merged, E> {
    let transaction = writing(conn).map_err(|error| in_result(error.into()))?;
    let mut merged = Merged::default();
    for (number, source) in sources.into_iter().enumerate() {
        let sessions = session::all(source).map_err(|problem| in_source(number, problem))?;
        for session in sessions {
            let runs = run::whole(source, session.id());
            let runs = runs.map_err(|problem| in_source(number, problem))?;
            copy(&transaction, &session, &runs, &mut merged).map_err(&in_result)?;
        }
    }
    let done = transaction.commit();
    done.map_err(|error| in_result(error.into()))?;
    Ok(merged)
}

/// Copies a session. It becomes part of an equal one where the places of its runs are
/// free there: a session that was carried on in two copies of a file stays two.
fn copy(
    conn: &Connection,
    session: &Kept,
    runs: &[run::Whole],
    merged: &mut Merged,
) -> Result<(), Problem> {
    let mut equals = session::equals(conn, session)?;
    if equals.is_empty() {
        equals.push(session::copy(conn, session)?);
    }
    for run in runs {
        if run::holds(conn, run)? {
            merged.known += 1;
            continue;
        }
        let into = match first_free(conn, &equals, run)? {
            Some(equal) => equal,
            None => {
                equals.push(session::copy(conn, session)?);
                equals[equals.len() - 1]
            }
        };
        run::copy(conn, into, run)?;
        merged.added += 1;
    }
    session::finish_as(conn, equals[0], session)
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
