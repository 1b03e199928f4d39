//! What can be wrong with a store: one line each, with what mends it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Error, ErrorCode, ffi};

use crate::id::SessionId;
use crate::side_files::side_files;

/// How long a process waits for another one that writes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// What is wrong with which file.
#[derive(Debug, thiserror::Error)]
#[error("`{}` {problem}", path.display())]
pub struct StoreError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong, and how to mend it; reads on after the file's name.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is no such file to read.
    #[error("does not exist: name the file that results were saved in")]
    Missing,
    /// There is no directory to create the file in.
    #[error("cannot be created, there is no directory `{0}`: create it with `mkdir -p '{0}'`")]
    NoDirectory(String),
    /// A directory or a device.
    #[error("is not an ordinary file: name a file for the results")]
    NotAFile,
    /// A file without content.
    #[error("is empty: name the file that results were saved in")]
    Empty,
    /// Some other file.
    #[error("is not a results database, and was left as it is: name another file")]
    NotADatabase,
    /// A database of another program.
    #[error("is a database of another program, and was left as it is: name another file")]
    Foreign,
    /// Written by a program that is newer than this one.
    #[error(
        "has schema version {found}, this program knows versions up to {known}: use the newer steadfast that wrote it"
    )]
    Newer {
        /// Version of the file.
        found: i64,
        /// Newest version that this program knows.
        known: i64,
    },
    /// SQLite finds its structure damaged.
    #[error("is damaged ({0}): restore it from a copy")]
    Damaged(String),
    /// The record of a session is not as it was saved.
    #[error("is damaged, session {session}: {reason}: restore the file from a copy")]
    DamagedSession {
        /// The session.
        session: SessionId,
        /// What cannot be read.
        reason: String,
    },
    /// The record of a run is not as it was saved.
    #[error("is damaged, run {run_id}: {reason}: restore the file from a copy, or measure again")]
    DamagedRun {
        /// The run.
        run_id: String,
        /// What cannot be read.
        reason: String,
    },
    /// No room is left.
    #[error(
        "cannot grow, the disk is full (runs saved before are kept): free space, then start again"
    )]
    DiskFull,
    /// No file of this process may become so large.
    #[error(
        "cannot grow, a file may have {0} bytes here (runs saved before are kept): allow more (ulimit -f), then start again"
    )]
    FileSize(u64),
    /// This process may open no more files.
    #[error(
        "cannot be opened with the files that belong to it, too many files are open: allow more (ulimit -n), then start again"
    )]
    NoDescriptors,
    /// This user may not read it.
    #[error("cannot be read, {0}: read it as its owner, or give this user the right")]
    Unreadable(io::Error),
    /// This user may not write the file.
    #[error(
        "cannot be written by this user: write as its owner, `sudo chown $USER` it, or name another file"
    )]
    ReadOnly,
    /// The file does not exist and cannot be made.
    #[error("cannot be created, {0}: name a file in a directory that this user can write")]
    Uncreatable(io::Error),
    /// This user may not create the files that SQLite needs beside it.
    #[error(
        "cannot be written, its directory takes no new files: write as the directory's owner, or name a file in another one"
    )]
    DirectoryReadOnly,
    /// Runs are in a side file that cannot be merged here.
    #[error(
        "has runs in `{0}` that cannot be merged here: copy both files to a directory that can be written, and read the copy"
    )]
    Unmerged(String),
    /// Another process holds it.
    #[error("is in use by another process for more than {} s: wait for it, then start again", PATIENCE.as_secs())]
    Locked,
    /// There is no such session.
    #[error("holds no session {0}: name one that it holds")]
    NoSession(SessionId),
    /// There is no such run.
    #[error("holds no run {0}: name one that it holds")]
    NoRun(String),
    /// The place in the session is taken.
    #[error(
        "already holds run {number} of session {session}: stop the other process that works on this session"
    )]
    AlreadySaved {
        /// The session.
        session: SessionId,
        /// Number of the run in the plan, from 1.
        number: usize,
    },
    /// The disk or its file system failed.
    #[error("cannot be read or written, {0}: look for the disk's error in `dmesg`")]
    InputOutput(String),
    /// Anything else that SQLite reports.
    #[error("cannot be used: {0}")]
    Sqlite(#[from] Error),
}

impl StoreError {
    /// Names the file, and finds the cause behind a code of SQLite.
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
            // Strict tables hold no other types than they declare.
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
        // The shared index beside the file could not grow.
        ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
            Problem::DiskFull
        }
        ErrorCode::SystemIoFailure => Problem::InputOutput(one_line(&error.to_string())),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Problem::Locked,
        ErrorCode::ReadOnly => Problem::ReadOnly,
        ErrorCode::CannotOpen => unopenable(path),
        // A statement of this program does not fit the tables.
        ErrorCode::Unknown => Problem::Damaged(one_line(&error.to_string())),
        _ => Problem::Sqlite(error),
    }
}

/// The limit of a file's size, where the file or one beside it has come so close to it that what
/// SQLite writes at a time does not fit.
fn outgrown(path: &Path) -> Option<u64> {
    /// The shared index grows by so many bytes.
    const AT_A_TIME: u64 = 32 << 10;
    let most = rt::limits::file_size()?;
    let bytes = |file: PathBuf| file.metadata().map_or(0, |found| found.len());
    let all = side_files(path).chain([path.to_owned()]);
    (all.map(bytes).max()? + AT_A_TIME > most).then_some(most)
}

/// Why SQLite could not open a file or one beside it; it keeps the reason to
/// itself, so the file system is asked again.
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

/// Whether this process, or the machine, may open no more files: EMFILE, ENFILE.
pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    [Some(24), Some(23)].contains(&error.raw_os_error())
}

/// The text without its line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}
