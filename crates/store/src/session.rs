//! Sessions: a plan of runs on one machine, and how many are done.

use std::collections::BTreeSet;

use base::shown;
use record::{Heading, Machine, RunSpec, Shared, Words};
use rt::clock::unix_time;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Params, params};

use crate::error::{Problem, StoreError};
use crate::id::SessionId;
use crate::machine::{self, Machines};
use crate::record::{Record, Table, checksum, json, number, verify};
use crate::store::Store;

/// A session in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// Places in the plan, counted from 0, whose runs are saved.
    pub done: BTreeSet<usize>,
    /// Those of these places whose runs are INVALID: a run that is saved there replaces the INVALID
    /// one.
    pub invalid: BTreeSet<usize>,
}

/// The properties of a session that a list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    pub id: SessionId,
    /// The title with which it was begun.
    pub title: String,
    /// The title and note that the user gave it.
    pub heading: Heading,
    /// The machine on which it was begun.
    pub machine: Shared<Machine>,
    /// Number of runs in its plan.
    pub planned: usize,
    /// Number of these runs that are saved.
    pub done: usize,
    /// Start in nanoseconds since 1970 (UTC).
    pub started_unix_ns: u64,
    /// End in nanoseconds since 1970 (UTC); `None` while unfinished.
    pub finished_unix_ns: Option<u64>,
}

const SESSIONS: Table = Table {
    name: "sessions",
    columns: &[
        "id",
        "title",
        "machine_id",
        "plan",
        "planned",
        "started_unix_ns",
        "finished_unix_ns",
        "heading",
        "note",
        "checksum",
    ],
};

/// Index of the column with the end of the session.
const FINISHED: usize = 6;
/// Index of the column with the heading's title; its note follows.
const HEADING: usize = 7;

/// A session as it is stored: its record without the checksum, and the record of its machine.
pub(crate) struct Kept {
    pub(crate) info: SessionInfo,
    record: Record,
    machine: Record,
}

impl Store {
    /// Begins a session: a plan of runs on one machine, in order, the first of which started then.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin_session(
        &mut self,
        title: &str,
        plan: &[RunSpec],
        machine: &Machine,
        started_unix_ns: u64,
    ) -> Result<Session, StoreError> {
        let machine = machine::record(machine);
        let record = vec![
            // The store assigns its number.
            Value::Null,
            title.to_owned().into(),
            machine[0].clone(),
            json(plan),
            number(plan.len() as u64),
            number(started_unix_ns),
            Value::Null,
            Value::Null,
            Value::Null,
        ];
        self.write(|transaction| {
            let id = insert(transaction, record, &machine)?;
            Ok(Session { id, done: BTreeSet::new(), invalid: BTreeSet::new() })
        })
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
        self.read(|conn| {
            let mut all = of_plan(conn, title, plan, machine)?.into_iter();
            let newest = all.find(|kept| kept.info.finished_unix_ns.is_none());
            newest.map(|kept| under_way(conn, &kept)).transpose()
        })
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
        self.read(|conn| {
            let newest = of_plan(conn, title, plan, machine)?.into_iter().next();
            let session = newest.map(|kept| under_way(conn, &kept)).transpose()?;
            Ok(session.filter(|session| !session.invalid.is_empty()))
        })
    }

    /// Sets the title and note that the user gives a session; replaces the old ones.
    ///
    /// # Errors
    /// When the store cannot be written or contains no such session.
    pub fn head_session(&mut self, session: &Session, heading: &Heading) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut kept = find(transaction, session.id)?;
            let Heading { title, note } = heading.clone().or(kept.info.heading.clone());
            let texts = [title.as_ref().map(Words::text), note.as_ref().map(Words::text)];
            for (place, text) in texts.into_iter().enumerate() {
                kept.record[HEADING + place] = text.map(str::to_owned).into();
            }
            transaction.execute(
                "UPDATE sessions SET heading = ?2, note = ?3, checksum = ?4 WHERE id = ?1",
                params![
                    session.id.0,
                    kept.record[HEADING],
                    kept.record[HEADING + 1],
                    checksum([&kept.record, &kept.machine])
                ],
            )?;
            Ok(())
        })
    }

    /// Marks a session as finished, so that it is not resumed.
    ///
    /// # Errors
    /// When the store cannot be written or contains no such session.
    pub fn finish_session(&mut self, session: &Session) -> Result<(), StoreError> {
        self.write(|transaction| {
            let kept = find(transaction, session.id)?;
            finish_at(transaction, kept, unix_time())
        })
    }

    /// Lists all sessions, newest last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        Ok(self.read(all)?.into_iter().map(|kept| kept.info).collect())
    }
}

/// Inserts a session as the newest one.
fn insert(conn: &Connection, mut record: Record, machine: &Record) -> Result<SessionId, Problem> {
    machine::insert(conn, machine)?;
    let newest = "SELECT coalesce(max(id), 0) FROM sessions";
    let newest: i64 = conn.query_row(newest, [], |row| row.get(0))?;
    record[0] = (newest + 1).into();
    record.push(checksum([&record, machine]));
    SESSIONS.insert(conn, &[record])?;
    Ok(SessionId(newest + 1))
}

/// Copies a session of another store, without its runs.
pub(crate) fn copy(conn: &Connection, session: &Kept) -> Result<SessionId, Problem> {
    insert(conn, session.record.clone(), &session.machine)
}

/// Counts runs that were added to a session.
pub(crate) fn count(conn: &Connection, session: SessionId, added: usize) -> rusqlite::Result<()> {
    conn.execute(
        "INSERT INTO saved_runs VALUES (?1, ?2)
         ON CONFLICT (session_id) DO UPDATE SET runs = runs + excluded.runs",
        [session.0, added as i64],
    )?;
    Ok(())
}

/// Returns how many runs were saved in a session, as far as they were counted.
fn saved(conn: &Connection, session: SessionId) -> rusqlite::Result<usize> {
    let count = "SELECT coalesce(sum(runs), 0) FROM saved_runs WHERE session_id = ?1";
    let runs: i64 = conn.query_row(count, [session.0], |row| row.get(0))?;
    Ok(usize::try_from(runs).unwrap_or(0))
}

/// Returns the sessions that were begun in the same way as this session of another store.
pub(crate) fn equals(conn: &Connection, session: &Kept) -> Result<Vec<SessionId>, Problem> {
    // Everything except its number, its end and its heading, which may have changed since.
    let begun = |kept: &Kept| kept.record[1..FINISHED].to_vec();
    let equal = |kept: &Kept| kept.machine == session.machine && begun(kept) == begun(session);
    let all = all(conn)?.into_iter();
    Ok(all.filter(equal).map(|kept| kept.info.id).collect())
}

/// Returns the sessions with this title, an equal plan and an equal machine, the newest first.
fn of_plan(
    conn: &Connection,
    title: &str,
    plan: &[RunSpec],
    machine: &Machine,
) -> Result<Vec<Kept>, Problem> {
    let (plan, machine) = (json(plan), machine::record(machine));
    let fits = |kept: &Kept| {
        kept.info.title == shown(title)
            && kept.machine == machine
            && SESSIONS.fields(&kept.record).value("plan") == ValueRef::from(&plan)
    };
    let mut all = select(conn, "ORDER BY id DESC", [])?;
    all.retain(fits);
    Ok(all)
}

/// Returns the session for continuing it.
fn under_way(conn: &Connection, kept: &Kept) -> Result<Session, Problem> {
    let id = kept.info.id;
    Ok(Session { id, done: places(conn, id, SAVED)?, invalid: places(conn, id, INVALID)? })
}

/// Marks a session as finished if its equal in another store is finished.
pub(crate) fn finish_as(conn: &Connection, id: SessionId, equal: &Kept) -> Result<(), Problem> {
    let kept = find(conn, id)?;
    match (kept.info.finished_unix_ns, equal.info.finished_unix_ns) {
        (None, Some(finished)) => finish_at(conn, kept, finished),
        _ => Ok(()),
    }
}

fn finish_at(conn: &Connection, mut kept: Kept, unix_ns: u64) -> Result<(), Problem> {
    kept.record[FINISHED] = number(unix_ns);
    conn.execute(
        "UPDATE sessions SET finished_unix_ns = ?2, checksum = ?3 WHERE id = ?1",
        params![kept.info.id.0, kept.record[FINISHED], checksum([&kept.record, &kept.machine])],
    )?;
    Ok(())
}

/// Returns all sessions as they are stored, newest last.
pub(crate) fn all(conn: &Connection) -> Result<Vec<Kept>, Problem> {
    select(conn, "ORDER BY id", [])
}

pub(crate) fn find(conn: &Connection, session: SessionId) -> Result<Kept, Problem> {
    select(conn, "WHERE id = ?1", [session.0])?.pop().ok_or(Problem::NoSession(session))
}

fn select(conn: &Connection, rest: &str, parameters: impl Params) -> Result<Vec<Kept>, Problem> {
    let machines = machine::all(conn)?;
    SESSIONS
        .select(conn, rest, parameters)?
        .into_iter()
        .map(|record| {
            let session = SessionId(SESSIONS.fields(&record).get("id").unwrap_or_default());
            let damaged = |reason| Problem::DamagedSession { session, reason };
            let done = places(conn, session, SAVED)?.len();
            let removed = saved(conn, session)?.saturating_sub(done);
            match removed {
                0 => read(record, &machines, done).map_err(damaged),
                _ => Err(damaged(format!("{removed} of its {} runs were removed", done + removed))),
            }
        })
        .collect()
}

fn read(mut record: Record, machines: &Machines, done: usize) -> Result<Kept, String> {
    let sum = record.pop();
    let fields = SESSIONS.fields(&record);
    let machine = machine::find(machines, &fields.get::<String>("machine_id")?)?;
    verify(sum, [&record, &machine.record])?;
    Ok(Kept {
        info: SessionInfo {
            id: SessionId(fields.get("id")?),
            title: fields.text("title")?,
            heading: Heading {
                title: words(fields.get("heading")?),
                note: words(fields.get("note")?),
            },
            machine: machine.machine.clone()?,
            planned: fields.number("planned")? as usize,
            done,
            started_unix_ns: fields.number("started_unix_ns")?,
            finished_unix_ns: fields
                .get::<Option<i64>>("finished_unix_ns")?
                .map(i64::cast_unsigned),
        },
        machine: machine.record.clone(),
        record,
    })
}

/// Reads a stored title or note; `None` for texts that this program would not have stored.
fn words<const MOST: usize>(kept: Option<String>) -> Option<Words<MOST>> {
    Words::read(&kept?).ok()
}

/// Selects all places of a session whose runs are saved.
const SAVED: &str = "SELECT ordinal FROM runs WHERE session_id = ?1";
/// Selects those places whose runs are INVALID.
const INVALID: &str = "SELECT ordinal FROM runs WHERE session_id = ?1 AND NOT valid";

/// Returns the places in a session's plan that such a query selects.
fn places(conn: &Connection, session: SessionId, query: &str) -> rusqlite::Result<BTreeSet<usize>> {
    conn.prepare(query)?
        .query_map([session.0], |row| row.get::<_, i64>(0))?
        .map(|ordinal| ordinal.map(|ordinal| ordinal as usize))
        .collect()
}
