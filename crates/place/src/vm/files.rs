//! The user's files and the libraries of their binaries: a machine has only what is packed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lab::{Initrd, LabError, needed_by};
use model_file::{Archive, Elf};
use record::{FileAsked, RunSpec};
use rt::owned::{self, MODELS};
use rt::process::libraries;
use tempfile::TempDir;

use crate::asked;

/// The folder of the files in a machine, each under its hash.
pub(super) const FOLDER: &str = "files";
/// Libraries that the packed host program needs in addition to models: `scripts/host-program`.
const OF_THE_HOST: [&str; 5] =
    ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"];

/// Adds the files of these runs, and the libraries that they need.
pub(super) fn pack(specs: &[RunSpec], initrd: &mut Initrd) -> Result<(), String> {
    let mut needed = BTreeSet::new();
    let mut packed = BTreeSet::new();
    for asked in specs.iter().flat_map(|spec| &spec.files) {
        if packed.insert(&asked.sha256) {
            let bytes = asked::read(asked)?;
            needed.extend(needed_for(asked, &bytes)?);
            initrd.add(Path::new(FOLDER).join(&asked.sha256), bytes);
        }
    }
    if !packed.is_empty() && libraries().is_empty() {
        needed.extend(needed_by_the_host().map_err(|error| error.to_string())?);
    }
    for library in needed {
        initrd.add_library(&library).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn needed_by_the_host() -> Result<Vec<PathBuf>, LabError> {
    let mut needed = needed_by("libm.so.6".as_ref())?;
    let libc = needed.iter().find(|file| file.ends_with(OF_THE_HOST[0]));
    let folder = libc.and_then(|file| file.parent()).map(Path::to_owned);
    let beside = OF_THE_HOST.map(|name| folder.as_ref().map(|folder| folder.join(name)));
    needed.extend(beside.into_iter().flatten());
    Ok(needed)
}

/// Returns the libraries that the binaries in a file need and that are not part of the file.
fn needed_for(asked: &FileAsked, bytes: &[u8]) -> Result<Vec<PathBuf>, String> {
    let path = Path::new(&asked.path);
    if Elf::read(bytes).is_some() {
        // A bare name would be searched in the folders of the system.
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        return needed_by(path.as_os_str()).map_err(|error| error.to_string());
    }
    // Every archive is an FMU, and a file of inputs is not an archive.
    let Ok(archive) = Archive::open(path) else {
        return Ok(Vec::new());
    };
    let mut needed = Vec::new();
    for kind in archive.description.interfaces.iter().map(|one| one.kind) {
        let folder = TempDir::with_prefix(owned::folders_of_this(MODELS));
        let folder = folder.map_err(|error| error.to_string())?;
        // If the model does not fit this machine, the run that needs it reports that.
        let Ok(unpacked) = archive.unpack(folder.path(), kind) else {
            continue;
        };
        let files = needed_by(unpacked.library.as_os_str());
        let files = files.map_err(|error| format!("{}: {error}", asked.path))?;
        let beside = unpacked.library.parent().unwrap_or(folder.path());
        needed.extend(files.into_iter().filter(|file| !file.starts_with(beside)));
    }
    Ok(needed)
}
