//! Opens the file: checks who owns it and that it is undamaged, and sets how it is written.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, Transaction, TransactionBehavior, ffi};

use crate::error::{PATIENCE, Problem, is_out_of_descriptors, one_line};
use crate::schema;
use crate::side_files::side_files;

/// Opens a store for writing; creates the file if it does not exist.
pub(crate) fn for_writing(path: &Path) -> Result<Connection, Problem> {
    rt::link::refuse_a_strangers(path).map_err(Problem::Uncreatable)?;
    match File::create_new(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => ordinary_file(path)?,
        Err(error) => return Err(uncreatable(path, error)),
    }
    let path = absolute(path)?;
    if is_sealed(&path) {
        return Err(Problem::Sealed);
    }
    let conn = connection(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    if conn.is_readonly(MAIN_DB)? {
        return Err(Problem::ReadOnly);
    }
    let conn = match checked(conn, &path) {
        Err(problem) if lacks_shared_memory(&problem) => with_a_journal(&path)?,
        conn => conn?,
    };
    schema::migrate(&conn)?;
    write_ahead(&conn)?;
    match try_writing(&conn).map_err(Problem::from) {
        Ok(()) => Ok(conn),
        Err(problem) if lacks_shared_memory(&problem) => {
            // This connection has opened its log in a way that needs it.
            drop(conn);
            let conn = with_a_journal(&path)?;
            try_writing(&conn)?;
            Ok(conn)
        }
        Err(problem) => Err(problem),
    }
}

/// Writes something that changes nothing, so that a file that takes no transaction is refused before
/// anything is measured for it.
fn try_writing(conn: &Connection) -> rusqlite::Result<()> {
    let transaction = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    transaction.pragma_update(None, "user_version", version)?;
    transaction.commit()
}

/// Opens a file for writing with the rollback journal, where the file system has no shared memory;
/// merges what was written ahead. Only a connection that has the file to itself can do so.
fn with_a_journal(path: &Path) -> Result<Connection, Problem> {
    let conn = connection(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    conn.pragma_update(None, "locking_mode", "exclusive")?;
    let conn = checked(conn, path)?;
    conn.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))?;
    conn.pragma_update(None, "locking_mode", "normal")?;
    Ok(conn)
}

/// Opens an existing store for reading.
pub(crate) fn for_reading(path: &Path) -> Result<Connection, Problem> {
    ordinary_file(path)?;
    let path = absolute(path)?;
    let conn = match is_sealed(&path) {
        true => checked(unchanging(&path)?, &path)?,
        false => tidying(&path)?,
    };
    if schema::version(&conn)? == 0 {
        return Err(Problem::Empty);
    }
    let conn = match schema::migrate(&conn) {
        Err(problem) if needs_to_write(&problem) => {
            let copy = checked(temporary_copy(&conn)?, &path)?;
            schema::migrate(&copy)?;
            copy
        }
        migrated => migrated.map(|()| conn)?,
    };
    conn.pragma_update(None, "query_only", true)?;
    Ok(conn)
}

/// Opens a file for reading in a way that can tidy up after a process that was killed. Otherwise it
/// would leave side files that the owner cannot write.
fn tidying(path: &Path) -> Result<Connection, Problem> {
    let conn = connection(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let conn = if conn.is_readonly(MAIN_DB)? && !side_files(path).any(|side| side.exists()) {
        unchanging(path)?
    } else {
        conn
    };
    match checked(conn, path) {
        Err(problem)
            if lacks_shared_memory(&problem) && side_files(path).any(|side| holds_bytes(&side)) =>
        {
            with_a_journal(path)
        }
        Err(problem) if needs_to_write(&problem) || lacks_shared_memory(&problem) => {
            checked(unchanging(path)?, path)
        }
        other => other,
    }
}

/// The list of hashes in a certificate.
const SEAL: &str = "SHA256SUMS";

/// Whether the bytes of this file are final: it lies beside a list of hashes.
fn is_sealed(path: &Path) -> bool {
    path.with_file_name(SEAL).is_file()
}

/// Copies an older file that cannot be written. SQLite keeps a large copy in a temporary file,
/// which ends with the connection.
fn temporary_copy(conn: &Connection) -> Result<Connection, Problem> {
    let mut copy = Connection::open("")?;
    let pages = i32::MAX;
    Backup::new(conn, &mut copy)?.run_to_completion(pages, Duration::from_millis(50), None)?;
    Ok(copy)
}

/// Returns the absolute path, which has none of the names that SQLite treats specially (`:memory:`,
/// `file:...`).
fn absolute(path: &Path) -> Result<PathBuf, Problem> {
    fs::canonicalize(path).map_err(Problem::Unreadable)
}

fn connection(name: &Path, mode: OpenFlags) -> rusqlite::Result<Connection> {
    // The name contains no link; a link that is created in the meantime is not followed.
    let always = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    Connection::open_with_flags(name, mode | always)
}

/// Opens a file next to which nothing can be created, as on a read-only medium.
fn unchanging(path: &Path) -> Result<Connection, Problem> {
    // SQLite would ignore runs that are still in a side file.
    if let Some(side) = side_files(path).find(|side| holds_bytes(side)) {
        let side = side.display().to_string();
        return Err(if is_sealed(path) {
            Problem::BesideSealed(side)
        } else {
            Problem::Unmerged(side)
        });
    }
    let uri = format!("file:{}?immutable=1", percent_encoded(path));
    let mode = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Ok(connection(Path::new(&uri), mode)?)
}

fn holds_bytes(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|found| found.len() > 0)
}

/// Returns the connection if the file is an undamaged store, or empty.
fn checked(conn: Connection, path: &Path) -> Result<Connection, Problem> {
    conn.busy_timeout(PATIENCE)?;
    // What a killed process left must not be merged into a database of another program.
    let left = side_files(path).any(|side| holds_bytes(&side));
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, left)?;
    schema::version(&conn)?;
    schema::refuse_additions(&conn)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    // FULL: a saved run survives a power failure or a kernel that hangs, for one fsync per run,
    // outside of what is measured. The file may come from anywhere, so nothing in it is trusted.
    conn.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;",
    )?;
    // Unlike quick_check, this compares indexes with tables, so that a missing run is noticed.
    // There are few records, so it costs little more.
    let verdict: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    match verdict.as_str() {
        "ok" => Ok(conn),
        _ => Err(Problem::Damaged(one_line(&verdict))),
    }
}

/// Turns on write-ahead logging: readers and writers do not wait for each other, and a process may
/// be killed at any moment.
fn write_ahead(conn: &Connection) -> Result<(), Problem> {
    // On a file system without shared memory, SQLite keeps its rollback journal, which is just as
    // safe.
    match conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
        // Another process has just opened it too; the next process to open it switches.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
        other => Ok(other?),
    }
}

fn ordinary_file(path: &Path) -> Result<(), Problem> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(Problem::NotAFile),
        // SQLite treats a file of one byte as empty, and would overwrite it.
        Ok(found) if found.len() == 1 => Err(Problem::NotADatabase),
        Ok(_) => match rt::read::too_sparse(path) {
            Some(holes) => Err(Problem::Sparse(holes)),
            None => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Problem::Missing),
        Err(error) if is_out_of_descriptors(&error) => Err(Problem::NoDescriptors),
        Err(error) => Err(Problem::Unreadable(error)),
    }
}

fn uncreatable(path: &Path, error: io::Error) -> Problem {
    match (error.kind(), path.parent()) {
        (io::ErrorKind::NotFound, Some(parent)) if !parent.exists() => {
            Problem::NoDirectory(parent.to_owned())
        }
        (io::ErrorKind::StorageFull, _) => Problem::DiskFull,
        (io::ErrorKind::IsADirectory, _) => Problem::NotAFile,
        _ if is_out_of_descriptors(&error) => Problem::NoDescriptors,
        _ => Problem::Uncreatable(error),
    }
}

/// Whether SQLite failed because it wanted to write.
fn needs_to_write(problem: &Problem) -> bool {
    let Problem::Sqlite(error) = problem else {
        return false;
    };
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Whether SQLite failed because no memory can be shared next to the file.
fn lacks_shared_memory(problem: &Problem) -> bool {
    const REFUSALS: [i32; 3] =
        [ffi::SQLITE_IOERR_SHMOPEN, ffi::SQLITE_IOERR_SHMMAP, ffi::SQLITE_IOERR_SHMLOCK];
    let Problem::Sqlite(error) = problem else { return false };
    error.sqlite_error().is_some_and(|code| REFUSALS.contains(&code.extended_code))
}

/// Encodes the path for a URI of SQLite.
fn percent_encoded(path: &Path) -> String {
    let encode = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.as_os_str().as_bytes().iter().map(encode).collect()
}
