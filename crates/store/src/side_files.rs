//! The files that SQLite keeps next to a database.

use std::path::{Path, PathBuf};

/// Returns the paths of the files that SQLite keeps next to a database while it is written.
pub(crate) fn side_files(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["-wal", "-journal"].into_iter().map(|suffix| {
        let mut side = path.as_os_str().to_owned();
        side.push(suffix);
        side.into()
    })
}
