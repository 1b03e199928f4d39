//! A shared library with a step function.

mod functions;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use functions::Functions;

use crate::Refused;
use crate::elf::{Elf, misfit};

/// The largest library that is read.
const MOST_BYTES: u64 = 1 << 30;

/// A shared library's file, read and not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    path: PathBuf,
    elf: Elf,
}

impl Library {
    /// Reads what a library says of itself. One for another machine is read too:
    /// [`Elf::fits`] tells it.
    ///
    /// # Errors
    /// The system's, or one line behind the file's name where it is no library of Linux.
    pub fn read(path: &Path) -> Result<Self, Refused> {
        Self::parsed(path).map_err(|why| why.of(path))
    }

    fn parsed(path: &Path) -> Result<Self, Refused> {
        let bytes = rt::read::bounded(path, MOST_BYTES)?;
        let elf = Elf::read(&bytes).ok_or_else(|| {
            let why = misfit(&bytes).unwrap_or_else(|| "is a broken ELF file".to_owned());
            Refused::new(format!(
                "it {why}; name an FMU or a shared library (`cc -shared -fPIC` makes one)"
            ))
        })?;
        match elf.is_program {
            true => Err(Refused::new(
                "it is a program and no shared library; `cc -shared -fPIC` makes one of its sources",
            )),
            false => Ok(Self { path: path.to_owned(), elf }),
        }
    }

    /// Where the library stands.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its platform, what it needs and what it exports.
    #[must_use]
    pub fn elf(&self) -> &Elf {
        &self.elf
    }

    /// The functions of a model in it: those that are named, and else those that Embedded
    /// Coder makes, `NAME_initialize`, `NAME_step` (or `NAME_step0`, `NAME_step1`, ... by
    /// rate) and `NAME_terminate`.
    ///
    /// # Errors
    /// One line behind the file's name that tells what is exported: a named function is
    /// missing, no step is found, or several models are.
    pub fn functions(
        &self,
        init: Option<&str>,
        step: Option<&str>,
        end: Option<&str>,
    ) -> Result<Functions, Refused> {
        functions::find(&self.elf.functions, init, step, end).map_err(|why| why.of(&self.path))
    }
}
