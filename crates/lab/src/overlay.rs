//! Copies of the folders whose content is added to an initrd.

use std::fs::{self, DirEntry};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::LabError;

/// Checks that a folder can be used as an overlay, and returns its full path. The lab itself must
/// not be in it.
pub(crate) fn check(folder: &Path, lab: &Path) -> Result<PathBuf, LabError> {
    let bad = |why| LabError::BadOverlay { path: folder.to_owned(), why };
    if !folder.is_dir() {
        return Err(bad(
            "is not a folder: name a folder with the additional content of the initrd",
        ));
    }
    let full = folder.canonicalize().map_err(LabError::file(folder))?;
    let lab = lab.canonicalize().map_err(LabError::file(lab))?;
    if lab.starts_with(&full) {
        return Err(bad("contains the lab itself: name a separate folder"));
    }
    Ok(full)
}

/// Copies a folder with all files, folders and symbolic links in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), LabError> {
    fs::create_dir(to).map_err(LabError::file(to))?;
    for entry in fs::read_dir(from).map_err(LabError::file(from))? {
        let entry = entry.map_err(LabError::file(from))?;
        copy_entry(&entry, &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn copy_entry(entry: &DirEntry, to: &Path) -> Result<(), LabError> {
    let from = entry.path();
    let kind = entry.file_type().map_err(LabError::file(&from))?;
    if kind.is_dir() {
        return copy(&from, to);
    }
    let copied = if kind.is_symlink() {
        fs::read_link(&from).and_then(|target| symlink(target, to))
    } else if kind.is_file() {
        fs::copy(&from, to).map(drop)
    } else {
        let why = "is neither a file nor a folder nor a symbolic link: remove it";
        return Err(LabError::BadOverlay { path: from, why });
    };
    copied.map_err(LabError::file(&from))
}
