//! Opening the file: whose it is, whether it is whole, and how it is written.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use crate::error::{PATIENCE, Problem, is_out_of_descriptors, one_line};
use crate::schema;
use crate::side_files::side_files;

/// Opens for writing; creates the file where there is none.
pub(crate) fn for_writing(path: &Path) -> Result<Connection, Problem> {
    rt::link::refuse_a_strangers(path).map_err(Problem::Uncreatable)?;
    match File::create_new(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => ordinary_file(path)?,
        Err(error) => return Err(uncreatable(path, error)),
    }
    let path = absolute(path)?;
    let conn = connection(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    if conn.is_readonly(MAIN_DB)? {
        return Err(Problem::ReadOnly);
    }
    let conn = checked(conn, &path)?;
    schema::migrate(&conn)?;
    write_ahead(&conn)?;
    Ok(conn)
}

/// Opens what exists, to read it.
pub(crate) fn for_reading(path: &Path) -> Result<Connection, Problem> {
    ordinary_file(path)?;
    let path = absolute(path)?;
    // A connection that may write can tidy up after a process that was killed.
    // One that may not would leave side files that the owner cannot write.
    let conn = connection(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let conn = if conn.is_readonly(MAIN_DB)? && !side_files(&path).any(|side| side.exists()) {
        unchanging(&path)?
    } else {
        conn
    };
    let conn = match checked(conn, &path) {
        Err(problem) if needs_to_write(&problem) => checked(unchanging(&path)?, &path)?,
        other => other?,
    };
    if schema::version(&conn)? == 0 {
        return Err(Problem::Empty);
    }
    match schema::migrate(&conn) {
        Err(problem) if needs_to_write(&problem) => schema::stand_in(&conn)?,
        migrated => migrated?,
    }
    conn.pragma_update(None, "query_only", true)?;
    Ok(conn)
}

/// The path without the names that mean something else to SQLite (`:memory:`,
/// `file:...`).
fn absolute(path: &Path) -> Result<PathBuf, Problem> {
    fs::canonicalize(path).map_err(Problem::Unreadable)
}

fn connection(name: &Path, mode: OpenFlags) -> rusqlite::Result<Connection> {
    // The name has no link in it; one that is laid meanwhile is not followed.
    let always = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    Connection::open_with_flags(name, mode | always)
}

/// A connection to a file that nothing can be created beside, as on a read-only
/// medium.
fn unchanging(path: &Path) -> Result<Connection, Problem> {
    // SQLite would pass over runs that are still in a side file.
    if let Some(side) = side_files(path).find(holds_bytes) {
        return Err(Problem::Unmerged(side.display().to_string()));
    }
    let uri = format!("file:{}?immutable=1", percent_encoded(path));
    let mode = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Ok(connection(Path::new(&uri), mode)?)
}

fn holds_bytes(file: &PathBuf) -> bool {
    fs::metadata(file).is_ok_and(|found| found.len() > 0)
}

/// The connection, where the file is a store that is found whole, or empty.
fn checked(conn: Connection, path: &Path) -> Result<Connection, Problem> {
    conn.busy_timeout(PATIENCE)?;
    // What a killed process left is not merged for a program that is not this one.
    let left = side_files(path).any(|side| holds_bytes(&side));
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, left)?;
    schema::version(&conn)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    // FULL: a saved run outlives a power failure or a kernel that hangs, for one
    // fsync a run, outside of what is measured. The file may come from anywhere,
    // so nothing in it is trusted.
    conn.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;",
    )?;
    // Unlike quick_check this one compares indexes with tables, so that no run
    // can be missing unnoticed; there are few records, so it costs little more.
    let verdict: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    match verdict.as_str() {
        "ok" => Ok(conn),
        _ => Err(Problem::Damaged(one_line(&verdict))),
    }
}

/// Write-ahead logging: who reads and who writes do not wait for one another,
/// and a process may be killed at any moment.
fn write_ahead(conn: &Connection) -> Result<(), Problem> {
    // On a file system without shared memory SQLite keeps its rollback journal,
    // which is as safe.
    match conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
        // Another process has just opened it too; the next to open it switches.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
        other => Ok(other?),
    }
}

fn ordinary_file(path: &Path) -> Result<(), Problem> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(Problem::NotAFile),
        // SQLite takes a file of one byte for an empty one, and would write it.
        Ok(found) if found.len() == 1 => Err(Problem::NotADatabase),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Problem::Missing),
        Err(error) if is_out_of_descriptors(&error) => Err(Problem::NoDescriptors),
        Err(error) => Err(Problem::Unreadable(error)),
    }
}

fn uncreatable(path: &Path, error: io::Error) -> Problem {
    match (error.kind(), path.parent()) {
        (io::ErrorKind::NotFound, Some(parent)) => {
            Problem::NoDirectory(parent.display().to_string())
        }
        (io::ErrorKind::StorageFull, _) => Problem::DiskFull,
        (io::ErrorKind::IsADirectory, _) => Problem::NotAFile,
        _ if is_out_of_descriptors(&error) => Problem::NoDescriptors,
        _ => Problem::Uncreatable(error),
    }
}

/// Whether SQLite failed because it wanted to change something.
fn needs_to_write(problem: &Problem) -> bool {
    let Problem::Sqlite(error) = problem else {
        return false;
    };
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// The path as SQLite reads it in a URI.
fn percent_encoded(path: &Path) -> String {
    let encode = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.as_os_str().as_bytes().iter().map(encode).collect()
}
