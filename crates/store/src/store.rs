//! An open results database.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction};

use crate::error::{Problem, StoreError};
use crate::open;
use crate::record::writing;

#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    conn: Connection,
    /// Device and inode of the file; `None` if it was gone as soon as it was opened.
    file: Option<(u64, u64)>,
}

impl Store {
    /// Opens a store for writing. Creates the file if it does not exist, and migrates an older
    /// schema.
    ///
    /// # Errors
    /// When the file cannot be created or written, is not a store, belongs to a newer program, or
    /// is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_writing(path))
    }

    /// Opens an existing store for reading, even if the file or its directory cannot be written.
    ///
    /// # Errors
    /// When the file does not exist or cannot be read, is not a store, belongs to a newer program,
    /// or is damaged.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Self::opened(path, open::for_reading(path))
    }

    /// Returns where results go that this file can no longer take: beside it, or into the folder for
    /// temporary files.
    #[must_use]
    pub fn rescue_places(&self) -> [PathBuf; 2] {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{name}.rescued-{}", std::process::id());
        [self.path.with_file_name(&name), env::temp_dir().join(&name)]
    }

    fn opened(path: &Path, conn: Result<Connection, Problem>) -> Result<Self, StoreError> {
        let conn = conn.map_err(|problem| StoreError::new(path, problem))?;
        Ok(Self { path: path.to_owned(), conn, file: identity(path) })
    }

    /// Adds the file to a problem.
    pub(crate) fn named<T>(&self, result: Result<T, Problem>) -> Result<T, StoreError> {
        result.map_err(|problem| StoreError::new(&self.path, problem))
    }

    pub(crate) fn read<'s, T>(
        &'s self,
        job: impl FnOnce(&'s Connection) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        self.named(job(&self.conn))
    }

    /// Does a job completely or not at all, after other processes have written.
    pub(crate) fn write<T>(
        &mut self,
        job: impl FnOnce(&Transaction) -> Result<T, Problem>,
    ) -> Result<T, StoreError> {
        self.read(|conn| {
            let transaction = writing(conn)?;
            let done = job(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
        .and_then(|done| self.named(self.refuse_another_file()).map(|()| done))
    }

    /// Fails if the path no longer leads to the file that is being written: its runs could not be
    /// found. Everything in it is copied to a new file beside it, or in the folder for
    /// temporary files.
    fn refuse_another_file(&self) -> Result<(), Problem> {
        if self.file.is_some() && identity(&self.path) == self.file {
            return Ok(());
        }
        let places = self.rescue_places();
        let mut places = places.iter().map(|place| place.display().to_string());
        let saved = places.find(|place| self.conn.execute("VACUUM INTO ?1", [place]).is_ok());
        Err(Problem::Replaced { saved })
    }
}

/// Returns device and inode of a file.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}
