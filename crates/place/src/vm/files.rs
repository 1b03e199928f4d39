//! The user's files and the libraries of their binaries: a machine has only what is packed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lab::{Architecture, Initrd};
use model_file::{Archive, Elf};
use record::{FileAsked, RunSpec};
use rt::owned::{self, MODELS};
use tempfile::TempDir;

use super::libraries::Libraries;
use crate::asked;

/// The folder of the files in a machine, each under its hash.
pub(super) const FOLDER: &str = "files";
/// Adds the files of these runs, and the libraries that they need on a machine of that
/// architecture; those of a static program include what its packed host program needs.
pub(super) fn pack(
    specs: &[RunSpec],
    initrd: &mut Initrd,
    architecture: &'static Architecture,
    is_static: bool,
) -> Result<(), String> {
    let libraries = Libraries { architecture };
    let mut needed = BTreeSet::new();
    let mut packed = BTreeSet::new();
    for asked in specs.iter().flat_map(|spec| &spec.files) {
        if packed.insert(&asked.sha256) {
            let bytes = asked::read(asked)?;
            needed.extend(needed_for(asked, &bytes, &libraries)?);
            initrd.add(Path::new(FOLDER).join(&asked.sha256), bytes);
        }
    }
    if !packed.is_empty() && is_static {
        needed.extend(libraries.needed_by_the_host()?);
    }
    for library in needed {
        initrd.add_library(&library).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Returns the libraries that the binaries in a file need and that are not part of the file.
fn needed_for(
    asked: &FileAsked,
    bytes: &[u8],
    libraries: &Libraries,
) -> Result<Vec<PathBuf>, String> {
    let path = Path::new(&asked.path);
    if Elf::read(bytes).is_some() {
        // A bare name would be searched in the folders of the system.
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        return libraries.needed_by(&path);
    }
    // Every archive is an FMU, and a file of inputs is not an archive.
    let Ok(archive) = Archive::open(path) else {
        return Ok(Vec::new());
    };
    let archive = archive.on(libraries.architecture.name);
    let (mut needed, mut fits, mut misfit) = (Vec::new(), false, None);
    for kind in archive.description.interfaces.iter().map(|one| one.kind) {
        let folder = TempDir::with_prefix(owned::folders_of_this(MODELS));
        let folder = folder.map_err(|error| error.to_string())?;
        let unpacked = match archive.unpack(folder.path(), kind) {
            Ok(unpacked) => unpacked,
            Err(why) => {
                misfit = misfit.or(Some(why));
                continue;
            }
        };
        fits = true;
        let files = libraries.needed_by(&unpacked.library);
        let files = files.map_err(|error| format!("{}: {error}", asked.path))?;
        let beside = unpacked.library.parent().unwrap_or(folder.path());
        needed.extend(files.into_iter().filter(|file| !file.starts_with(beside)));
    }
    // If only the interface that is used does not fit, the run reports that.
    misfit.filter(|_| !fits).map_or(Ok(needed), |why| Err(format!("--fmu: {why}")))
}
