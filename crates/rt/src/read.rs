//! Reads the small text files of /proc and /sys, and files that the user names.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::str::FromStr;

use rustix::fs::{OFlags, SeekFrom, seek};
use rustix::io::Errno;

const NONBLOCK: i32 = OFlags::NONBLOCK.bits() as i32;

/// Opens a regular file that the user names. Other kinds are refused: a device may have no end, and
/// a FIFO blocks until another process writes to it.
///
/// # Errors
/// Returns the system's error; `InvalidInput` for anything except a regular file.
pub fn regular(path: impl AsRef<Path>) -> io::Result<File> {
    let kind = fs::metadata(&path)?.file_type();
    let why = match kind.is_file() {
        // Some files of /proc and tracefs claim to be regular, and block a reader.
        true => return File::options().read(true).custom_flags(NONBLOCK).open(path),
        false if kind.is_fifo() => "it is a pipe, not a regular file; copy its content into one",
        false if kind.is_dir() => "it is a folder, not a regular file",
        false => "it is not a regular file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// Returns how many bytes this user can still write below a folder: statvfs(3).
///
/// # Errors
/// Returns the system's error.
pub fn free_bytes(folder: impl AsRef<Path>) -> io::Result<u64> {
    let system = rustix::fs::statvfs(folder.as_ref())?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Returns how many bytes of a file are holes, if that is more than 64 MiB: such a file may claim
/// any length, and would be read for ever. `None` also where holes cannot be seen.
#[must_use]
pub fn too_sparse(path: impl AsRef<Path>) -> Option<u64> {
    let file = regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    let (mut at, mut holes) = (0, 0);
    while at < length {
        let data = match seek(&file, SeekFrom::Data(at)) {
            Err(Errno::NXIO) => length,
            found => found.ok()?,
        };
        holes += data - at;
        at = if data < length { seek(&file, SeekFrom::Hole(data)).ok()? } else { length };
    }
    (holes > MOST_HOLES).then_some(holes)
}

const MOST_HOLES: u64 = 64 << 20;

/// Reads the bytes of a file that the user names, which may be of any size.
///
/// # Errors
/// Fails like [`regular`]; `FileTooLarge` for a file of more than `most` bytes.
pub fn bounded(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = regular(path)?.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => {
            let why = "it is not a regular file: a reader has to wait for its content";
            io::Error::new(io::ErrorKind::InvalidInput, why)
        }
        _ => error,
    })?;
    if bytes.len() as u64 > most {
        let why = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Reads a file's text without its line end; `None` if it cannot be read.
#[must_use]
pub fn text(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim_end_matches(['\n', '\0']).to_owned())
}

/// Reads a file's content as a number or another value.
#[must_use]
pub fn value<T: FromStr>(path: impl AsRef<Path>) -> Option<T> {
    text(path)?.trim().parse().ok()
}

/// Returns the rest of the first line that begins with `name`, without spaces around it.
#[must_use]
pub fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// Reads the word in brackets from a file such as `always [madvise] never`.
#[must_use]
pub fn bracketed(path: impl AsRef<Path>) -> Option<String> {
    let text = text(path)?;
    let (_, rest) = text.split_once('[')?;
    let (word, _) = rest.split_once(']')?;
    Some(word.to_owned())
}
