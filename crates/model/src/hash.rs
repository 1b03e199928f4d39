//! The hash that identifies a model's file.

use std::io::Read;
use std::path::Path;

use rt::read::regular;
use sha2::{Digest, Sha256};

use crate::Refused;

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
