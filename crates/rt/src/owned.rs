//! Names that say to which process something belongs, so that leftovers of a killed process can be
//! distinguished from what a living one uses.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::process::{Pid, this, user};
use crate::tasks;

/// The prefix of the names of temporary folders for connections.
pub const CONNECTIONS: &str = "steadfast-ssh-";
/// The prefix of the names of temporary folders for other programs that run as loads.
pub const LOADS: &str = "steadfast-load-";
/// The prefix of the names of temporary folders for the files of models.
pub const MODELS: &str = "steadfast-model-";

/// Names something that belongs to a process: the prefix, the process's number, its start time, and
/// its process number namespace (a container has its own). `None` without /proc.
#[must_use]
pub fn name_of(prefix: &str, process: Pid) -> Option<String> {
    let started = tasks::start_of(process)?;
    Some(format!("{prefix}{process}-{started}-{}", numbering()))
}

/// Returns how the names of this process's temporary folders with that prefix begin.
#[must_use]
pub fn folders_of_this(prefix: &str) -> String {
    let name = name_of(prefix, this()).unwrap_or_else(|| prefix.to_owned());
    format!("{name}-")
}

/// Whether something of that name belongs to a process in our process number namespace that has
/// ended. The name may continue after another `-`.
#[must_use]
pub fn is_left_over(prefix: &str, name: &str) -> bool {
    let parts = || {
        let mut parts = name.strip_prefix(prefix)?.split('-');
        let mut part = || parts.next()?.parse::<u64>().ok();
        Some((part()?, part()?, part()?))
    };
    parts().is_some_and(|(process, started, counted_by)| {
        let now = || tasks::start_of(Pid::from_raw(i32::try_from(process).ok()?)?);
        counted_by == numbering() && now() != Some(started)
    })
}

/// Removes the temporary folders that killed processes of this user have left; returns their
/// number.
#[must_use]
pub fn remove_folders_left_over() -> usize {
    remove_folders_left_over_in(&env::temp_dir())
}

fn remove_folders_left_over_in(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_left = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let names_it = |prefix| name.to_str().is_some_and(|name| is_left_over(prefix, name));
        let is_own = |file: fs::Metadata| file.is_dir() && file.uid() == user();
        [CONNECTIONS, LOADS, MODELS].into_iter().any(names_it) && entry.metadata().is_ok_and(is_own)
    };
    let removed = |entry: &fs::DirEntry| fs::remove_dir_all(entry.path()).is_ok();
    entries.filter(is_left).filter(removed).count()
}

/// Identifies the process number namespace of this process: a container has its own.
#[must_use]
pub fn numbering() -> u64 {
    fs::metadata("/proc/self/ns/pid").map_or(0, |namespace| namespace.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "steadfast-";

    #[test]
    fn only_what_a_gone_process_of_our_numbering_left_is_left_over() {
        let own = name_of(PREFIX, this()).unwrap();
        assert!(!is_left_over(PREFIX, &own), "it lives");
        assert!(!is_left_over(PREFIX, &format!("{own}-x7Q")));
        let started = tasks::start_of(this()).unwrap();
        let (process, numbering) = (this(), numbering());
        let earlier = format!("{PREFIX}{process}-{}-{numbering}", started + 1);
        assert!(is_left_over(PREFIX, &earlier));
        assert!(is_left_over(PREFIX, &format!("{earlier}-x7Q")));
        let elsewhere = format!("{PREFIX}{}-5-{}", 1 << 22, numbering + 1);
        assert!(!is_left_over(PREFIX, &elsewhere));
        for strange in ["", "foo", "steadfast-", "steadfast-7", "steadfast-x-1-2"] {
            assert!(!is_left_over(PREFIX, strange), "{strange}");
        }
    }

    #[test]
    fn folders_that_a_gone_process_left_are_removed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let started = tasks::start_of(this()).unwrap();
        let gone = format!("{}-{}-{}", this(), started + 1, numbering());
        let own = name_of(CONNECTIONS, this()).unwrap();
        let folder = |name: &str| {
            let folder = directory.join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("socket"), "").unwrap();
            folder
        };
        let left = [CONNECTIONS, LOADS].map(|prefix| folder(&format!("{prefix}{gone}-x7Q")));
        let kept = [format!("{own}-x7Q"), format!("other-{gone}")].map(|name| folder(&name));
        let file = directory.join(format!("{CONNECTIONS}{gone}"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&kept[0], directory.join(format!("{LOADS}{gone}"))).unwrap();
        assert_eq!(remove_folders_left_over_in(directory), 2);
        assert!(!left.iter().any(|folder| folder.exists()));
        assert!(kept.iter().all(|folder| folder.join("socket").exists()) && file.exists());
    }
}
