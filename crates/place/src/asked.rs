//! The user's files that a run reads, wherever it is made.

use std::path::Path;

use lab::sha256;
use record::FileAsked;
use rt::read;

/// The largest file that is sent to another machine, in bytes.
const LARGEST: u64 = 256 << 20;

/// Checks that the file is still the one that was requested. An error begins with its path.
pub(crate) fn read(asked: &FileAsked) -> Result<Vec<u8>, String> {
    let path = &asked.path;
    let bytes = read::bounded(Path::new(path), LARGEST)
        .map_err(|error| format!("{path} cannot be sent: {error}"))?;
    if sha256(&bytes) == asked.sha256 {
        return Ok(bytes);
    }
    Err(format!("{path} has changed since the run was requested; start the command again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_a_file_that_has_changed_or_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plant.so").display().to_string();
        let asked = |contents: &[u8]| FileAsked { path: path.clone(), sha256: sha256(contents) };
        let why = read(&asked(b"one")).unwrap_err();
        assert!(why.starts_with(&path) && why.contains("cannot be sent"), "{why}");
        std::fs::write(&path, b"one").unwrap();
        assert_eq!(read(&asked(b"one")).unwrap(), b"one");
        let why = read(&asked(b"other")).unwrap_err();
        assert!(why.starts_with(&path) && why.contains("changed"), "{why}");
    }
}
