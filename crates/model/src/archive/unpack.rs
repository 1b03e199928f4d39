//! Unpacking what a run of a model needs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::entries::Entries;
use crate::Refused;

const RESOURCES: &str = "resources";

/// Where the parts of an unpacked model stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The binary, as an absolute path.
    pub library: PathBuf,
    /// The folder of the resources, as an absolute path without a separator at its end; it is
    /// there, and empty for a model without resources.
    pub resources: PathBuf,
}

/// The binary may load others that stand beside it.
pub(super) fn unpack(entries: &Entries, library: &str, into: &Path) -> Result<Unpacked, Refused> {
    let root = fs::canonicalize(into)?;
    let (beside, _) = library.rsplit_once('/').unwrap_or_default();
    let is_wanted = |name: &str| {
        let folder = [beside, RESOURCES, "extra"].into_iter();
        let mut rest = folder.filter_map(|folder| name.strip_prefix(folder));
        rest.any(|rest| rest.starts_with('/'))
    };
    fs::create_dir_all(root.join(RESOURCES))?;
    for name in entries.names().filter(|name| is_wanted(name)) {
        let path = root.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|why| told(name, &why))?;
        }
        let mut file = File::create_new(&path).map_err(|why| told(name, &why))?;
        entries.copy(name, &mut file)?;
    }
    Ok(Unpacked { library: root.join(library), resources: root.join(RESOURCES) })
}

fn told(name: &str, why: &std::io::Error) -> Refused {
    Refused::new(format!("{name} cannot be unpacked ({why})"))
}
