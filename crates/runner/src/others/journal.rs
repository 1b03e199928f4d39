//! The journal of moved tasks: written to disk before a task is moved, so that a
//! later start can give everything back that a killed run has moved.
//!
//! ```text
//! boot   the kernel's name for this boot, and clock ticks since it: tasks that
//!        started later may have been started by moved ones
//! task   number, clock ticks at its start, its CPUs, the CPUs it is moved to
//! ```
//! The process that moves holds a lock on the file, which the kernel drops with the
//! process.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rt::process::{Pid, user};
use rt::read;
use units::CpuSet;

/// A task that is, or is about to be, moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) task: Pid,
    /// Clock ticks since boot; a later task of the same number has another start.
    pub(super) started: u64,
    pub(super) before: CpuSet,
    pub(super) given: CpuSet,
}

/// The journal of this process, or one that a killed process has left.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Clock ticks since boot when the first task was moved, or before.
    pub(super) since: u64,
    /// In the order in which they were written.
    pub(super) entries: Vec<Entry>,
}

/// Directories that a journal may be in, the best first: none that outlives a boot
/// is needed.
pub(super) fn directories() -> Vec<PathBuf> {
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let first = [Some(PathBuf::from("/run")), own, Some(env::temp_dir())];
    first.into_iter().flatten().collect()
}

/// One journal for each user and for each numbering of processes (a container has
/// its own).
fn path(directory: &Path) -> PathBuf {
    let numbering = fs::metadata("/proc/self/ns/pid").map_or(0, |namespace| namespace.ino());
    directory.join(format!("steadfast-moved-{}-{numbering}", user()))
}

fn boot() -> String {
    read::text("/proc/sys/kernel/random/boot_id").unwrap_or_default()
}

impl Journal {
    /// A new journal in the first of the directories that takes one.
    ///
    /// # Errors
    /// Where another process is moving tasks, or no directory takes a file.
    pub(super) fn create(directories: &[PathBuf], since: u64) -> io::Result<Self> {
        let mut refused = io::Error::other("there is no directory for the journal");
        for directory in directories {
            match Self::create_in(directory, since) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => refused = error,
                Err(_) => {
                    return Err(io::Error::other(
                        "another run has moved everything off its CPUs; wait for its end",
                    ));
                }
                created => return created,
            }
        }
        Err(refused)
    }

    fn create_in(directory: &Path, since: u64) -> io::Result<Self> {
        let path = path(directory);
        let mut file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.lock()?;
        writeln!(file, "{} {since}", boot())?;
        file.sync_all()?;
        Ok(Self {
            file,
            path,
            since,
            entries: Vec::new(),
        })
    }

    /// What a killed process has left in one of the directories.
    pub(super) fn left_over(directories: &[PathBuf]) -> Option<Self> {
        directories.iter().find_map(|directory| {
            let path = path(directory);
            let is_own = |file: &fs::Metadata| file.is_file() && file.uid() == user();
            fs::symlink_metadata(&path).ok().filter(is_own)?;
            let mut file = File::open(&path).ok()?;
            is_nobodys(&file).then_some(())?;
            let mut text = String::new();
            file.rewind()
                .and_then(|()| file.read_to_string(&mut text))
                .ok()?;
            let (since, entries) = parse(&text, &boot());
            Some(Self {
                file,
                path,
                since,
                entries,
            })
        })
    }

    /// Adds tasks; they are on disk when this returns.
    ///
    /// # Errors
    /// When they cannot be written: the tasks must not be moved then.
    pub(super) fn add(&mut self, entries: Vec<Entry>) -> io::Result<()> {
        let line = |e: &Entry| format!("{} {} {} {}\n", e.task, e.started, e.before, e.given);
        let text: String = entries.iter().map(line).collect();
        self.file.write_all(text.as_bytes())?;
        self.file.sync_all()?;
        self.entries.extend(entries);
        Ok(())
    }

    /// Everything is given back.
    pub(super) fn remove(&self) {
        // One that stays is given back again at the next start, which changes nothing.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the process that wrote a journal is gone. One that was killed while it
/// started another has lent it the lock for a moment.
fn is_nobodys(journal: &File) -> bool {
    const TRIES: usize = 20;
    (0..TRIES).any(|_| match journal.try_lock() {
        Err(TryLockError::WouldBlock) => {
            thread::sleep(Duration::from_millis(10));
            false
        }
        Err(TryLockError::Error(_)) | Ok(()) => true,
    })
}

/// The journal's entries; none of another boot. A last line that was cut off has
/// moved no task.
fn parse(text: &str, boot: &str) -> (u64, Vec<Entry>) {
    let mut lines = text.lines();
    let head = lines.next().and_then(|line| line.split_once(' '));
    let Some((of_boot, since)) = head else {
        return (0, Vec::new());
    };
    let entry = |line: &str| {
        let mut words = line.split(' ');
        let mut word = || words.next();
        Some(Entry {
            task: Pid::from_raw(word()?.parse().ok()?)?,
            started: word()?.parse().ok()?,
            before: word()?.parse().ok()?,
            given: word()?.parse().ok()?,
        })
    };
    match since.parse() {
        Ok(since) if of_boot == boot => (since, lines.map_while(entry).collect()),
        _ => (0, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(task: i32) -> Entry {
        Entry {
            task: Pid::from_raw(task).unwrap(),
            started: 17,
            before: "0-3,5".parse().unwrap(),
            given: CpuSet::one(0),
        }
    }

    #[test]
    fn what_a_killed_process_wrote_is_read_and_a_living_one_is_let_be() {
        let directory = tempfile::tempdir().unwrap();
        let places = [directory.path().join("none"), directory.path().to_owned()];
        assert!(Journal::left_over(&places).is_none());
        let mut journal = Journal::create(&places, 5).unwrap();
        journal.add(vec![entry(7), entry(8)]).unwrap();
        journal.add(vec![entry(9)]).unwrap();
        assert!(Journal::left_over(&places).is_none(), "its process lives");
        let refused = Journal::create(&places, 5).unwrap_err().to_string();
        assert!(refused.contains("another run"), "{refused}");
        drop(journal);
        let left = Journal::left_over(&places).unwrap();
        assert_eq!((left.since, left.entries.len()), (5, 3));
        assert_eq!(left.entries[2], entry(9));
        left.remove();
        assert!(Journal::left_over(&places).is_none());
    }

    #[test]
    fn another_boot_and_a_cut_off_line_move_nothing() {
        let text = "here 5\n7 17 0-3,5 0\n8 17 0-3";
        assert_eq!(parse(text, "here"), (5, vec![entry(7)]));
        assert_eq!(parse(text, "elsewhere"), (0, vec![]));
        assert_eq!(parse("", "here"), (0, vec![]));
        assert_eq!(parse("nonsense", "here"), (0, vec![]));
    }

    #[test]
    fn no_directory_is_named() {
        assert!(Journal::create(&[PathBuf::from("/no/such/place")], 0).is_err());
    }
}
