//! Runs: one outcome each, saved and read back completely.

use base::{AT_ONCE, in_parallel};
use record::{Header, Outcome, Track};
use rusqlite::{Connection, Error, ffi, params};

use crate::error::{Problem, StoreError};
use crate::id::SessionId;
use crate::machine::{self, Machines};
use crate::record::{Record, Table, checksum, json, number, verify};
use crate::session::{self, Session};
use crate::store::Store;
use crate::{remove, row, samples};

const RUNS: Table = Table {
    name: "runs",
    columns: &[
        "run_id",
        "session_id",
        "ordinal",
        "machine_id",
        "measurement",
        "started_unix_ns",
        "tool_version",
        "valid",
        "spec",
        "found",
        "warnings",
        "checksum",
        "samples_checksum",
    ],
};

impl Store {
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
        // Everything is packed before other processes have to wait.
        let machine = machine::record(&outcome.header.machine);
        let rows = row::records(&outcome.header.run_id, &outcome.rows);
        let tracks = samples::records(&outcome.header.run_id, samples);
        let mut run = record(session.id, ordinal, outcome);
        run.push(checksum([&run, &machine].into_iter().chain(&rows)));
        run.push(tracks.checksum());

        self.write(|transaction| {
            machine::insert(transaction, &machine)?;
            let replaced = remove::invalid_run(transaction, session.id, ordinal)?;
            RUNS.insert(transaction, &[run])
                .map_err(|error| refusal(error, session.id, ordinal))?;
            row::ROWS.insert(transaction, &rows)?;
            tracks.insert(transaction)?;
            Ok(session::count(transaction, session.id, 1 - replaced)?)
        })
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
        mut with: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        self.read(|conn| {
            session::find(conn, session)?;
            let machines = machine::all(conn)?;
            let in_order = "WHERE session_id = ?1 ORDER BY ordinal";
            let mut some = Vec::new();
            RUNS.each(conn, in_order, [session.0], |record| {
                let run_id: String = RUNS.fields(&record).get("run_id").unwrap_or_default();
                let rows = row::select(conn, &run_id)?;
                some.push((run_id, record, rows));
                if some.len() == AT_ONCE {
                    pass_on(&mut some, &machines, &mut with)?;
                }
                Ok::<_, Problem>(())
            })?;
            pass_on(&mut some, &machines, &mut with)
        })
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
        self.read(|conn| Ok(ids(conn, session)?))
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
        self.read(|conn| {
            let (_, outcome, tracks) = whole(conn, run_id, &machine::all(conn)?)?;
            Ok((outcome, tracks))
        })
    }

    /// Replaces the rows and warnings of these runs by newly computed ones, for all runs or for
    /// none. Everything else about them stays as it is, including their samples.
    ///
    /// # Errors
    /// When the store cannot be written, contains no such run, or the run is damaged.
    pub fn recompute(&mut self, outcomes: &[Outcome]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let machines = machine::all(transaction)?;
            for outcome in outcomes {
                let run_id = &outcome.header.run_id;
                let (mut run, ..) = whole(transaction, run_id, &machines)?;
                let rows = row::records(run_id, &outcome.rows);
                run.record.truncate(CHECKSUM);
                run.record[VALID] = outcome.is_valid().into();
                run.record[WARNINGS] = json(&outcome.warnings);
                let sum = checksum([&run.record, &run.machine].into_iter().chain(&rows));
                transaction.execute("DELETE FROM rows WHERE run_id = ?1", [run_id])?;
                row::ROWS.insert(transaction, &rows)?;
                transaction.execute(
                    "UPDATE runs SET valid = ?2, warnings = ?3, checksum = ?4 WHERE run_id = ?1",
                    params![run_id, run.record[VALID], run.record[WARNINGS], sum],
                )?;
            }
            Ok(())
        })
    }
}

/// A run as it is stored, with all its records, whose checksums are verified.
pub(crate) struct Whole {
    run_id: String,
    record: Record,
    machine: Record,
    rows: Vec<Record>,
    samples: samples::Samples,
}

/// Indexes of columns.
const SESSION: usize = 1;
const ORDINAL: usize = 2;
const VALID: usize = 7;
const WARNINGS: usize = 10;
const CHECKSUM: usize = 11;

/// Returns the names of a session's runs in the order of its plan.
pub(crate) fn ids(conn: &Connection, session: SessionId) -> rusqlite::Result<Vec<String>> {
    conn.prepare("SELECT run_id FROM runs WHERE session_id = ?1 ORDER BY ordinal")?
        .query_map([session.0], |row| row.get(0))?
        .collect()
}

/// Reads runs, of which these are the names and records, and passes them on in this order.
fn pass_on(
    runs: &mut Vec<(String, Record, Vec<Record>)>,
    machines: &Machines,
    mut with: impl FnMut(Outcome),
) -> Result<(), Problem> {
    let outcomes = in_parallel(runs, |(_, record, rows)| read(record.clone(), machines, rows));
    for ((run_id, ..), outcome) in runs.drain(..).zip(outcomes) {
        with(outcome.map_err(|reason| Problem::DamagedRun { run_id, reason })?);
    }
    Ok(())
}

/// Returns a run with all its records, and their content.
pub(crate) fn whole(
    conn: &Connection,
    run_id: &str,
    machines: &Machines,
) -> Result<(Whole, Outcome, Vec<Track>), Problem> {
    let record = RUNS.select(conn, "WHERE run_id = ?1", [run_id])?.pop();
    let record = record.ok_or_else(|| Problem::NoRun(run_id.to_owned()))?;
    let run_id = run_id.to_owned();
    let damaged = |reason| Problem::DamagedRun { run_id: run_id.clone(), reason };
    let rows = row::select(conn, &run_id)?;
    let samples = samples::select(conn, &run_id)?;
    let tracks = samples.read(record.last().cloned()).map_err(damaged)?;
    let outcome = read(record.clone(), machines, &rows).map_err(damaged)?;
    let machine_id: String = RUNS.fields(&record).get("machine_id").unwrap_or_default();
    let machine = machine::find(machines, &machine_id).map_err(damaged)?;
    let whole = Whole { machine: machine.record.clone(), run_id, record, rows, samples };
    Ok((whole, outcome, tracks))
}

/// Whether the store contains this run.
pub(crate) fn holds(conn: &Connection, run: &Whole) -> Result<bool, Problem> {
    let mut statement = conn.prepare("SELECT 1 FROM runs WHERE run_id = ?1")?;
    Ok(statement.exists([&run.run_id])?)
}

/// Whether the run's place in that session is free.
pub(crate) fn is_free(conn: &Connection, session: SessionId, run: &Whole) -> Result<bool, Problem> {
    let taken = "SELECT 1 FROM runs WHERE session_id = ?1 AND ordinal = ?2";
    let mut statement = conn.prepare(taken)?;
    Ok(!statement.exists(params![session.0, run.record[ORDINAL]])?)
}

/// Copies a run of another store into a session.
pub(crate) fn copy(conn: &Connection, session: SessionId, run: &Whole) -> Result<(), Problem> {
    let mut record = run.record.clone();
    let (samples, _) = (record.pop(), record.pop());
    record[SESSION] = session.0.into();
    record.push(checksum([&record, &run.machine].into_iter().chain(&run.rows)));
    record.extend(samples);
    machine::insert(conn, &run.machine)?;
    RUNS.insert(conn, &[record])?;
    row::ROWS.insert(conn, &run.rows)?;
    run.samples.insert(conn)?;
    Ok(session::count(conn, session, 1)?)
}

/// Builds the record of a run, without its checksums.
fn record(session: SessionId, ordinal: usize, outcome: &Outcome) -> Record {
    let header = &outcome.header;
    vec![
        header.run_id.clone().into(),
        session.0.into(),
        number(ordinal as u64),
        header.machine.id().into(),
        header.spec.measurement.clone().into(),
        number(header.started_unix_ns),
        header.tool_version.clone().into(),
        outcome.is_valid().into(),
        json(&header.spec),
        json(&outcome.found),
        json(&outcome.warnings),
    ]
}

fn read(mut record: Record, machines: &Machines, rows: &[Record]) -> Result<Outcome, String> {
    let _samples_checksum = record.pop();
    let sum = record.pop();
    let run = RUNS.fields(&record);
    let machine = machine::find(machines, &run.get::<String>("machine_id")?)?;
    verify(sum, [&record, &machine.record].into_iter().chain(rows))?;
    // Reserve exactly this many: there may be very many runs.
    let mut read = Vec::with_capacity(rows.len());
    for row in rows {
        read.push(row::read(row)?);
    }
    Ok(Outcome {
        header: Header {
            run_id: run.text("run_id")?,
            tool_version: run.text("tool_version")?,
            spec: run.json("spec")?,
            machine: machine.machine.clone()?,
            started_unix_ns: run.number("started_unix_ns")?,
        },
        found: run.json("found")?,
        warnings: run.json("warnings")?,
        rows: read,
    })
}

/// Finds out why the database refused a run.
fn refusal(error: Error, session: SessionId, ordinal: usize) -> Problem {
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => Problem::NoSession(session),
        Some(ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => {
            Problem::AlreadySaved { session, number: ordinal + 1 }
        }
        _ => error.into(),
    }
}
