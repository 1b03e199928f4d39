//! Reading the small text files of /proc and /sys.

use std::fs;
use std::path::Path;
use std::str::FromStr;

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
