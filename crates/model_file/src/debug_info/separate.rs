//! Debug information in a separate file, which a library names by its build ID or by a link.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use flate2::Crc;
use object::{File, Object};

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Returns the separate file's bytes, or its name and why it was not read; `None` if the library
/// names none that is there.
pub(super) fn find(file: &File, path: &Path, root: &Path) -> Option<Result<Vec<u8>, String>> {
    let build_id = file.build_id().ok().flatten();
    let by_id = build_id.and_then(|id| read(&root.join(".build-id").join(place(id)?)));
    if let Some(bytes) = by_id.filter(|bytes| id_of(bytes).as_deref() == build_id) {
        return Some(Ok(bytes));
    }
    let (name, checksum) = file.gnu_debuglink().ok().flatten()?;
    let name = String::from_utf8_lossy(name).into_owned();
    let fits = |bytes: &Vec<u8>| {
        let mut found = Crc::new();
        found.update(bytes);
        found.sum() == checksum
    };
    let found = linked(&name, path, root).iter().find_map(|place| read(place).filter(fits));
    Some(found.ok_or_else(|| {
        format!(
            "{name}, which is not next to the library or below {}, or is of another build",
            root.display()
        )
    }))
}

/// Returns the path of a file below the folder of build IDs.
fn place(build_id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = build_id.split_first()?;
    let mut name = String::new();
    for byte in rest {
        let _ = write!(name, "{byte:02x}");
    }
    Some(PathBuf::from(format!("{first:02x}")).join(name + ".debug"))
}

/// Returns the paths that a linked file may have; a link is a name without folders.
fn linked(name: &str, path: &Path, root: &Path) -> Vec<PathBuf> {
    let folder = fs::canonicalize(path).ok().and_then(|path| Some(path.parent()?.to_owned()));
    let Some(folder) = folder.filter(|_| !name.contains('/')) else {
        return Vec::new();
    };
    let below_root = root.join(folder.strip_prefix("/").unwrap_or(&folder));
    [folder.join(name), folder.join(".debug").join(name), below_root.join(name)].into()
}

fn read(path: &Path) -> Option<Vec<u8>> {
    rt::read::bounded(path, MOST_BYTES).ok()
}

fn id_of(bytes: &[u8]) -> Option<Vec<u8>> {
    Some(File::parse(bytes).ok()?.build_id().ok()??.to_owned())
}
