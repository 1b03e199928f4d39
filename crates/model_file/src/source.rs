//! A file that the user names as a model, and the hash that identifies it.

use std::io::Read;
use std::path::{Path, PathBuf};

use rt::read::regular;
use sha2::{Digest, Sha256};

use crate::Refused;
use crate::archive::Archive;
use crate::library::Library;

#[derive(Debug)]
pub enum Content {
    Fmu(Box<Archive>),
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

/// Returns the SHA-256 of a file, in hexadecimal digits, and its size in bytes.
///
/// # Errors
/// The system's error, after the file's name.
pub fn sha256(path: &Path) -> Result<(String, u64), Refused> {
    digest(path).map_err(|error| Refused::from(error).of(path))
}

fn digest(path: &Path) -> std::io::Result<(String, u64)> {
    const CHUNK: usize = 1 << 16;
    let mut file = regular(path)?;
    let (mut hash, mut size, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK]);
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            break;
        }
        hash.update(&chunk[..read]);
        size += read as u64;
    }
    let digest = hash.finalize();
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    Ok((digits.collect(), size))
}
