//! A shared library with a step function.

mod functions;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use functions::Functions;

use crate::elf::{Elf, misfit};
use crate::refused::{Refused, refused};

/// Exported variables that an error names.
const MOST_NAMED: usize = 10;
/// The largest library that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// A variable of a library, with its start value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integer {
    pub name: String,
    pub value: i64,
    /// Whether it has 8 bytes, not 4.
    pub is_wide: bool,
}

/// A shared library's file, which is read but not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    path: PathBuf,
    elf: Elf,
}

impl Library {
    /// Reads the properties of a library. A library for another machine is also accepted; check it
    /// with [`Elf::fits`].
    ///
    /// # Errors
    /// The system's error, or one line after the file's name if it is not a Linux library.
    pub fn read(path: &Path) -> Result<Self, Refused> {
        Self::parsed(path).map_err(|why| why.of(path))
    }

    fn parsed(path: &Path) -> Result<Self, Refused> {
        let bytes = rt::read::bounded(path, MOST_BYTES)?;
        let elf = Elf::read(&bytes).ok_or_else(|| {
            let why = misfit(&bytes).unwrap_or_else(|| "is a broken ELF file".to_owned());
            refused!("it {why}; name an FMU or a shared library (`cc -shared -fPIC` builds one)")
        })?;
        if elf.is_program {
            return Err(Refused::new(
                "it is a program, not a shared library; `cc -shared -fPIC` builds a library from its sources",
            ));
        }
        Ok(Self { path: path.to_owned(), elf })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The platform of the library, what it needs and what it exports.
    pub fn elf(&self) -> &Elf {
        &self.elf
    }

    /// Finds the exported integers for which start values are given.
    ///
    /// # Errors
    /// One line that names the first one that the library does not export as a variable of 4 or 8 bytes, or whose
    /// value is not a whole number that fits into it.
    pub fn integers(&self, starts: &[(&str, &str)]) -> Result<Vec<Integer>, String> {
        starts.iter().map(|(name, value)| self.integer(name, value)).collect()
    }

    fn integer(&self, name: &str, value: &str) -> Result<Integer, String> {
        let all = &self.elf.variables;
        let Some((_, bytes)) = all.iter().find(|(known, _)| known == name) else {
            let names = all.iter().filter(|(_, bytes)| matches!(bytes, 4 | 8));
            let names: Vec<&str> = names.take(MOST_NAMED).map(|(name, _)| name.as_str()).collect();
            let exported = match names.as_slice() {
                [] => "none".to_owned(),
                names => names.join(", "),
            };
            return Err(format!("the library exports no variable `{name}` (integers: {exported})"));
        };
        let number = value.parse::<i64>().ok();
        let (value, is_wide) = match (bytes, number) {
            (4, Some(number)) if i32::try_from(number).is_ok() || u32::try_from(number).is_ok() => {
                (number, false)
            }
            (8, Some(number)) => (number, true),
            (4 | 8, _) => return Err(format!("`{name}` takes a whole number, not {value}")),
            _ => return Err(format!("`{name}` has {bytes} bytes; an integer has 4 or 8")),
        };
        Ok(Integer { name: name.to_owned(), value, is_wide })
    }

    /// Finds the functions of a model: those that are named, or else those that Embedded Coder
    /// generates, `NAME_initialize`, `NAME_step` (or `NAME_step0`, `NAME_step1`, ... by rate) and
    /// `NAME_terminate`.
    ///
    /// # Errors
    /// One line after the file's name that lists what is exported: a named function is missing,
    /// there is no step function, or there are step functions of several models.
    pub fn functions(
        &self,
        init: Option<&str>,
        step: Option<&str>,
        end: Option<&str>,
    ) -> Result<Functions, Refused> {
        functions::find(&self.elf.functions, init, step, end).map_err(|why| why.of(&self.path))
    }
}
