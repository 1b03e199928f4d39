//! A file that a person names as a model.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::Refused;
use crate::archive::Archive;
use crate::hash::sha256;
use crate::library::Library;

/// What is in a model's file.
#[derive(Debug)]
pub enum Content {
    /// A functional mock-up unit.
    Fmu(Box<Archive>),
    /// A shared library.
    Library(Library),
}

/// A model's file, read and known by its hash.
#[derive(Debug)]
pub struct Source {
    /// Where it stands.
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// Bytes of the file.
    pub size: u64,
    /// What is in it.
    pub content: Content,
}

impl Source {
    /// Reads an FMU or a shared library, told apart by how the file begins.
    ///
    /// # Errors
    /// As [`Archive::open`] and [`Library::read`].
    pub fn open(path: &Path) -> Result<Self, Refused> {
        let content = match is_archive(path).map_err(|why| why.of(path))? {
            true => Content::Fmu(Box::new(Archive::open(path)?)),
            false => Content::Library(Library::read(path)?),
        };
        let (sha256, size) = sha256(path)?;
        Ok(Self { path: path.to_owned(), sha256, size, content })
    }
}

/// True for what begins as a zip archive, or is named as an FMU.
fn is_archive(path: &Path) -> Result<bool, Refused> {
    if !fs::metadata(path)?.is_file() {
        return Err(Refused::new("it is no file; name an FMU or a shared library"));
    }
    let mut head = Vec::new();
    File::open(path)?.take(2).read_to_end(&mut head)?;
    let is_named = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("fmu"));
    Ok(head == *b"PK" || is_named)
}
