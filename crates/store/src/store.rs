//! An open results database.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction};

use crate::error::{Problem, StoreError};
use crate::open;
use crate::record::writing;

#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    conn: Connection,
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

    fn opened(path: &Path, conn: Result<Connection, Problem>) -> Result<Self, StoreError> {
        let conn = conn.map_err(|problem| StoreError::new(path, problem))?;
        Ok(Self { path: path.to_owned(), conn })
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
    }
}
