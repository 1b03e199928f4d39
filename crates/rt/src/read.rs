//! Reading the small text files of /proc and /sys, and files that a person names.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

/// The bytes of a file that a person names, which may be of any size and have no end.
///
/// # Errors
/// The system's; `FileTooLarge` for one of more than so many bytes.
pub fn bounded(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// A file's text without its line end; `None` where it cannot be read.
#[must_use]
pub fn text(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim_end_matches(['\n', '\0']).to_owned())
}

/// A file's content as a number or another value.
#[must_use]
pub fn value<T: FromStr>(path: impl AsRef<Path>) -> Option<T> {
    text(path)?.trim().parse().ok()
}

/// The word in brackets of a file such as `always [madvise] never`.
#[must_use]
pub fn bracketed(path: impl AsRef<Path>) -> Option<String> {
    let text = text(path)?;
    let (_, rest) = text.split_once('[')?;
    let (word, _) = rest.split_once(']')?;
    Some(word.to_owned())
}
