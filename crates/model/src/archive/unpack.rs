//! Unpacks what a run of a model needs.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::entries::Entries;
use crate::refused::{Refused, refused};

const RESOURCES: &str = "resources";
const MIB: u64 = 1 << 20;

/// The paths of an unpacked model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The binary, as an absolute path.
    pub library: PathBuf,
    /// The folder of the resources, as an absolute path without a separator at its end. It always
    /// exists, and is empty for a model without resources.
    pub resources: PathBuf,
}

/// Unpacks the binary, its resources and everything next to it, since the binary may load other
/// libraries there.
pub(super) fn unpack(entries: &Entries, library: &str, into: &Path) -> Result<Unpacked, Refused> {
    let root = fs::canonicalize(into)?;
    let (beside, _) = library.rsplit_once('/').unwrap_or_default();
    let is_wanted = |name: &str| {
        let folder = [beside, RESOURCES, "extra"].into_iter();
        let mut rest = folder.filter_map(|folder| name.strip_prefix(folder));
        rest.any(|rest| rest.starts_with('/'))
    };
    fs::create_dir_all(root.join(RESOURCES))?;
    let wanted = || entries.names().filter(|name| is_wanted(name));
    refuse_a_full_folder(&root, wanted().map(|name| entries.size(name)).sum())?;
    for name in wanted() {
        let path = root.join(name);
        let failed = |why: io::Error| refused!("{name} cannot be unpacked ({why})");
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = File::create_new(&path).map_err(failed)?;
        entries.copy(name, &mut file)?;
    }
    Ok(Unpacked { library: root.join(library), resources: root.join(RESOURCES) })
}

fn refuse_a_full_folder(folder: &Path, needed: u64) -> Result<(), Refused> {
    let free = rt::read::free_bytes(folder)?;
    if needed <= free {
        return Ok(());
    }
    let [needed, free] = [needed.div_ceil(MIB), free / MIB];
    Err(refused!(
        "the folder {} has {free} MiB free, but the model needs {needed} MiB; free some space, or set TMPDIR to another folder",
        folder.display()
    ))
}
