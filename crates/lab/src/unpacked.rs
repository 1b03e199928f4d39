//! The unpacked kernel, kept beside its boot image: unpacking it takes up to a second.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use rt::read::bounded;

use crate::hash::sha256;
use crate::requirements::LARGEST;
use crate::shared_file::Shared;
use crate::{Kernel, LabError};

/// How the name of the file begins; its hash follows.
const UNPACKED: &str = "vmlinux-";

impl Kernel {
    /// Returns what a restored machine is started with: the kernel in its memory counts, but QEMU
    /// must find a file of the same kind, so its content is not checked.
    pub(crate) fn started_before(&self) -> Result<Shared, LabError> {
        let kept = find(self.folder()).and_then(|(path, _)| File::open(path).ok());
        let found = kept.map_or_else(|| File::open(&self.image), Ok);
        Ok(found.map_err(LabError::file(&self.image))?.into())
    }

    /// Returns what QEMU starts: the unpacked kernel, or else its boot image.
    pub(crate) fn started(&self) -> Result<Shared, LabError> {
        let folder = self.folder();
        if let Some(kept) = kept(folder) {
            return Ok(kept);
        }
        let image = self.read_image()?;
        let Some(kernel) = self.architecture.image.unpacked(&image) else {
            return Shared::holding(&image);
        };
        // Without the right to write there, it is unpacked each time.
        keep(folder, &kernel).map_or_else(|_| Shared::holding(&kernel), Ok)
    }
}

/// Returns the path and the hash of the kept kernel, if there is one.
fn find(folder: &Path) -> Option<(PathBuf, String)> {
    let mut entries = fs::read_dir(folder).ok()?.flatten();
    entries.find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let hash = name.strip_prefix(UNPACKED)?.to_owned();
        Some((entry.path(), hash))
    })
}

/// Returns the kept kernel, if there is one and it is what it was.
fn kept(folder: &Path) -> Option<Shared> {
    let (path, hash) = find(folder)?;
    let is_whole = bounded(&path, LARGEST).is_ok_and(|kernel| sha256(&kernel) == hash);
    if !is_whole {
        let _ = fs::remove_file(&path);
        return None;
    }
    Some(File::open(path).ok()?.into())
}

/// Writes the kernel in one step, so that no other process reads half of it.
fn keep(folder: &Path, kernel: &[u8]) -> io::Result<Shared> {
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(kernel)?;
    new.rewind()?;
    let place = folder.join(format!("{UNPACKED}{}", sha256(kernel)));
    Ok(new.persist(place)?.into())
}
