//! A file that the user names as a model.

use std::io::Read;
use std::path::{Path, PathBuf};

use rt::read::regular;

use crate::Refused;
use crate::archive::Archive;
use crate::hash::sha256;
use crate::library::Library;

/// The content of a model's file.
#[derive(Debug)]
pub enum Content {
    /// A functional mock-up unit.
    Fmu(Box<Archive>),
    /// A shared library.
    Library(Library),
}

/// A model's file, which has been read and hashed.
#[derive(Debug)]
pub struct Source {
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    pub size: u64,
    pub content: Content,
}

impl Source {
    /// Reads an FMU or a shared library, depending on how the file begins.
    ///
    /// # Errors
    /// As [`Archive::open`] and [`Library::read`].
    pub fn open(path: &Path) -> Result<Self, Refused> {
        let content = if is_archive(path).map_err(|why| why.of(path))? {
            Content::Fmu(Box::new(Archive::open(path)?))
        } else {
            Content::Library(Library::read(path)?)
        };
        let (sha256, size) = sha256(path)?;
        Ok(Self { path: path.to_owned(), sha256, size, content })
    }
}

/// Whether a file begins like a zip archive, or is named like an FMU.
fn is_archive(path: &Path) -> Result<bool, Refused> {
    let mut head = Vec::new();
    regular(path)?.take(2).read_to_end(&mut head)?;
    let is_named = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("fmu"));
    Ok(head == *b"PK" || is_named)
}
