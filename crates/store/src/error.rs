//! What can be wrong with a store: one line each, with the remedy.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Error, ErrorCode, ffi};

use crate::id::SessionId;
use crate::side_files::side_files;

/// How long a process waits for another process that writes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// A problem with a store, and the file that has it.
#[derive(Debug, thiserror::Error)]
#[error("`{}` {problem}", path.display())]
pub struct StoreError {
    /// The file, as the user named it.
    pub path: PathBuf,
    pub problem: Problem,
}

/// What is wrong, and the remedy; the text continues a sentence that starts with the file's name.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("does not exist: name the file that results were saved in")]
    Missing,
    #[error(
        "cannot be created, because the directory `{}` does not exist: create it with `mkdir -p {}`",
        .0.display(),
        base::quoted_file(.0)
    )]
    NoDirectory(PathBuf),
    #[error("is not an ordinary file: name a file for the results")]
    NotAFile,
    #[error("is empty: name the file that results were saved in")]
    Empty,
    #[error(
        "is not a results database, and was left as it is: name another file; `steadfast import` reads files of other tools"
    )]
    NotADatabase,
    #[error("is a database of another program, and was left as it is: name another file")]
    Foreign,
    #[error(
        "has schema version {found}, but this program knows only versions up to {known}: use the newer Steadfast that wrote it"
    )]
    Newer { found: i64, known: i64 },
    #[error("is damaged ({0}): restore it from a copy")]
    Damaged(String),
    #[error("has {0}, which no version of this program creates: restore it from a copy")]
    Added(String),
    #[error("is part of a certificate, which another run would change: name another file")]
    Sealed,
    #[error("is part of a certificate, whose results are in this file alone: remove `{0}`")]
    BesideSealed(String),
    #[error("has holes of {} GiB, which nothing that was measured has: restore it from a copy", .0 >> 30)]
    Sparse(u64),
    #[error("is damaged, session {session}: {reason}: restore the file from a copy")]
    DamagedSession { session: SessionId, reason: String },
    #[error(
        "is damaged, run {}: {reason}: restore the file from a copy, or measure again",
        base::shown(run_id)
    )]
    DamagedRun { run_id: String, reason: String },
    #[error(
        "cannot grow, because the disk is full (the runs saved so far are kept): free some space, then start again"
    )]
    DiskFull,
    #[error(
        "cannot grow, because files are limited to {0} bytes here (the runs saved so far are kept): raise the limit (ulimit -f), then start again"
    )]
    FileSize(u64),
    #[error(
        "cannot be opened, because too many files are open: raise the limit (ulimit -n), then start again"
    )]
    NoDescriptors,
    #[error("cannot be read, {0}: read it as its owner, or give this user permission")]
    Unreadable(io::Error),
    #[error(
        "cannot be written by this user: write it as its owner, change its owner (`sudo chown $USER FILE`), or name another file"
    )]
    ReadOnly,
    #[error("cannot be created, {0}: name a file in a directory that this user may write")]
    Uncreatable(io::Error),
    /// This user may not create the files that SQLite needs next to the database.
    #[error(
        "cannot be written, because this user may not create files in its directory: write as the directory's owner, or name a file in another directory"
    )]
    DirectoryReadOnly,
    #[error(
        "has runs in `{0}` that cannot be merged here: copy both files to a writable directory, and read the copy"
    )]
    Unmerged(String),
    #[error("is in use by another process for more than {} s: wait for it, then start again", PATIENCE.as_secs())]
    Locked,
    #[error(
        "is on a file system that refuses locks, as NFS does without its lock service: name a file on a local disk, or mount it with locks"
    )]
    NoLocks,
    #[error("contains no session {0}: name one that it contains")]
    NoSession(SessionId),
    #[error("contains no run {0}: name one that it contains")]
    NoRun(String),
    #[error(
        "already contains run {number} of session {session}: stop the other process that works on this session"
    )]
    AlreadySaved {
        session: SessionId,
        /// Number of the run in the plan, from 1.
        number: usize,
    },
    /// `saved` is the file that everything was copied to; `None` if that failed.
    #[error(
        "was removed or replaced while it was being written: {}",
        match saved {
            Some(saved) => format!("everything that was saved in it is in `{saved}`"),
            None => "name a file that stays where it is, and start again".to_owned(),
        }
    )]
    Replaced { saved: Option<String> },
    #[error("cannot be read or written, {0}: look for the disk's error in `dmesg`")]
    InputOutput(String),
    #[error("cannot be used: {0}")]
    Sqlite(#[from] Error),
}

impl StoreError {
    /// Names the file, and finds the cause behind an error code of SQLite.
    pub(crate) fn new(path: &Path, problem: Problem) -> Self {
        let problem = match problem {
            Problem::Sqlite(error) => cause(path, error),
            other => other,
        };
        Self { path: path.to_owned(), problem }
    }
}

fn cause(path: &Path, error: Error) -> Problem {
    let Some(code) = error.sqlite_error() else {
        return match error {
            // Strict tables contain only the types that they declare.
            Error::InvalidColumnType(..)
            | Error::FromSqlConversionFailure(..)
            | Error::Utf8Error(..)
            | Error::QueryReturnedNoRows => Problem::Damaged(one_line(&error.to_string())),
            other => Problem::Sqlite(other),
        };
    };
    match code.code {
        ErrorCode::NotADatabase => Problem::NotADatabase,
        ErrorCode::DatabaseCorrupt => Problem::Damaged(one_line(&error.to_string())),
        ErrorCode::DiskFull => Problem::DiskFull,
        ErrorCode::SystemIoFailure if let Some(most) = outgrown(path) => Problem::FileSize(most),
        // The shared index next to the file could not grow.
        ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
            Problem::DiskFull
        }
        ErrorCode::SystemIoFailure => Problem::InputOutput(one_line(&error.to_string())),
        ErrorCode::DatabaseBusy if refuses_locks(path) => Problem::NoLocks,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Problem::Locked,
        ErrorCode::ReadOnly => Problem::ReadOnly,
        ErrorCode::CannotOpen => unopenable(path),
        // A statement of this program does not fit the tables.
        ErrorCode::Unknown => Problem::Damaged(one_line(&error.to_string())),
        _ => Problem::Sqlite(error),
    }
}

/// Whether the file system refuses locks, which SQLite does not distinguish from a lock of another process. A
/// new file is tried: closing the store itself would release this process's locks on it.
fn refuses_locks(path: &Path) -> bool {
    let probe = path.with_extension(format!("lock-{}", std::process::id()));
    let Ok(file) = File::create_new(&probe) else { return false };
    let refused = rt::file_lock::is_refused(&file);
    let _ = std::fs::remove_file(probe);
    refused
}

/// Returns the limit on file sizes if the file or a side file is so close to it that what SQLite
/// writes at a time does not fit.
fn outgrown(path: &Path) -> Option<u64> {
    /// Bytes by which the shared index grows.
    const AT_A_TIME: u64 = 32 << 10;
    let most = rt::limits::file_size()?;
    let bytes = |file: PathBuf| file.metadata().map_or(0, |found| found.len());
    let all = side_files(path).chain([path.to_owned()]);
    (all.map(bytes).max()? + AT_A_TIME > most).then_some(most)
}

/// Finds out why SQLite could not open a file or its side files. SQLite does not report the reason,
/// so this asks the file system again.
fn unopenable(path: &Path) -> Problem {
    /// The file, its log, the shared index, and the directory.
    const FILES: usize = 4;
    let opened = (0..FILES).map(|_| File::open(path)).collect::<Result<Vec<_>, _>>();
    match opened {
        Err(error) if is_out_of_descriptors(&error) => Problem::NoDescriptors,
        Err(error) => Problem::Unreadable(error),
        Ok(_) => Problem::DirectoryReadOnly,
    }
}

/// Whether the error says that this process or the machine has too many open files: EMFILE, ENFILE.
pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    [Some(24), Some(23)].contains(&error.raw_os_error())
}

/// Returns the text without line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}
