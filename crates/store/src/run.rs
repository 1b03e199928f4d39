//! Runs: one outcome each, saved and read back completely.

use plan::{Header, Outcome, Track};
use rusqlite::{Connection, Error, ffi, params};

use crate::error::Problem;
use crate::id::SessionId;
use crate::machine::{self, Machines};
use crate::record::{Record, Table, checksum, json, number, verify, writing};
use crate::session;
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

pub(crate) fn save(
    conn: &Connection,
    session: SessionId,
    ordinal: usize,
    outcome: &Outcome,
    tracks: &[Track],
) -> Result<(), Problem> {
    // Everything is packed before other processes have to wait.
    let machine = machine::record(&outcome.header.machine);
    let rows = row::records(&outcome.header.run_id, &outcome.rows);
    let samples = samples::records(&outcome.header.run_id, tracks);
    let mut run = record(session, ordinal, outcome);
    run.push(checksum([&run, &machine].into_iter().chain(&rows)));
    run.push(samples.checksum());

    let transaction = writing(conn)?;
    machine::insert(&transaction, &machine)?;
    let replaced = remove::invalid(&transaction, session, ordinal)?;
    RUNS.insert(&transaction, &[run]).map_err(|error| refusal(error, session, ordinal))?;
    row::ROWS.insert(&transaction, &rows)?;
    samples.insert(&transaction)?;
    session::count(&transaction, session, 1 - replaced)?;
    Ok(transaction.commit()?)
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

/// Returns a run and its samples.
pub(crate) fn with_samples(
    conn: &Connection,
    run_id: &str,
) -> Result<(Outcome, Vec<Track>), Problem> {
    let (_, outcome, tracks) = whole(conn, run_id, &machine::all(conn)?)?;
    Ok((outcome, tracks))
}

/// Replaces rows and warnings of runs, completely or not at all.
pub(crate) fn recompute(conn: &Connection, outcomes: &[Outcome]) -> Result<(), Problem> {
    let transaction = writing(conn)?;
    let machines = machine::all(&transaction)?;
    for outcome in outcomes {
        let run_id = &outcome.header.run_id;
        let (mut run, ..) = whole(&transaction, run_id, &machines)?;
        let rows = row::records(run_id, &outcome.rows);
        run.record.truncate(CHECKSUM);
        run.record[VALID] = outcome.is_valid().into();
        run.record[WARNINGS] = json(&outcome.warnings);
        let sum = checksum([&run.record, &run.machine].into_iter().chain(&rows));
        transaction.execute("DELETE FROM rows WHERE run_id = ?1", [run_id])?;
        row::ROWS.insert(&transaction, &rows)?;
        transaction.execute(
            "UPDATE runs SET valid = ?2, warnings = ?3, checksum = ?4 WHERE run_id = ?1",
            params![run_id, run.record[VALID], run.record[WARNINGS], sum],
        )?;
    }
    Ok(transaction.commit()?)
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

/// Passes on the outcomes of a session in the order of its plan.
pub(crate) fn each_outcome(
    conn: &Connection,
    session: SessionId,
    mut with: impl FnMut(Outcome),
) -> Result<(), Problem> {
    session::find(conn, session)?;
    let machines = machine::all(conn)?;
    let in_order = "WHERE session_id = ?1 ORDER BY ordinal";
    RUNS.each(conn, in_order, [session.0], |record| {
        let run_id: String = RUNS.fields(&record).get("run_id").unwrap_or_default();
        let rows = row::select(conn, &run_id)?;
        let outcome = read(record, &machines, &rows);
        with(outcome.map_err(|reason| Problem::DamagedRun { run_id, reason })?);
        Ok(())
    })
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
