//! Finds what a library needs of this machine's C library and of others, as the loader does.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Architecture, LabError};

/// Returns the files that a library for this machine needs to be loaded, including the loader; none of them is run.
///
/// # Errors
/// If this machine has no glibc, or the loader does not find one of the files; the error names it.
pub fn needed_by(library: &OsStr) -> Result<Vec<PathBuf>, LabError> {
    let refused = |why: String| LabError::Library { library: library.into(), why };
    let loader = Architecture::here().loader;
    let listed = Command::new(loader).arg("--list").arg(library).output();
    let listed = listed.map_err(|error| refused(format!("{loader} cannot list it: {error}")))?;
    let printed = String::from_utf8_lossy(&listed.stdout);
    if let Some(missing) = printed.lines().find_map(|line| line.strip_suffix(" => not found")) {
        let missing = missing.trim();
        return Err(refused(format!("it needs {missing}, which this machine does not have")));
    }
    if !listed.status.success() {
        let words = String::from_utf8_lossy(&listed.stderr);
        let last = words.lines().last().unwrap_or("the loader refused it");
        return Err(refused(last.trim().to_owned()));
    }
    Ok(printed.lines().filter_map(file_in).collect())
}

/// Returns the file in a line such as `libm.so.6 => /lib/libm.so.6 (0x0000700000000000)`; the
/// library of the kernel has none.
fn file_in(line: &str) -> Option<PathBuf> {
    let (named, _) = line.trim().rsplit_once(" (")?;
    let file = named.rsplit_once(" => ").map_or(named, |(_, file)| file);
    Path::new(file).is_absolute().then(|| file.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn the_loader_lists_files() {
        let files = needed_by(OsStr::new("/bin/sh")).unwrap();
        assert!(files.iter().all(|file| file.is_file()), "{files:?}");
        let is_there = |name: &str| files.iter().any(|file| file.ends_with(name));
        assert!(
            is_there("libc.so.6") && files.contains(&Architecture::here().loader.into()),
            "{files:?}"
        );
        assert_eq!(file_in("\tlinux-vdso.so.1 (0x00007fdf5ac71000)"), None);
        assert_eq!(file_in("\tstatically linked"), None);
    }

    #[test]
    fn the_error_names_what_cannot_be_loaded() {
        refuses(needed_by(OsStr::new("/etc/passwd")), "/etc/passwd");
    }
}
