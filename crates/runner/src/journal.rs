//! What a run changes on the machine, written to disk before the change, so that a later start can
//! restore everything that a killed run has changed.
//!
//! ```text
//! boot    the kernel's name for this boot, and clock ticks since it
//! entry   the old value and the new one, one entry per line
//! ```
//! The process that makes the changes holds a lock on the file, which the kernel releases when the
//! process ends.

use std::env;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rt::owned::numbering;
use rt::process::user;
use rt::read;
use rt::thread::wait_for;
use tempfile::NamedTempFile;

pub(crate) trait Entry: Clone {
    /// The word for this kind in the journal's name.
    const KIND: &'static str;
    /// What the run that owns the journal has done, for the error message.
    const BUSY: &'static str;

    fn line(&self) -> String;

    /// Parses a line; `None` if it is truncated.
    fn read(line: &str) -> Option<Self>;
}

/// The journal of this process, or one that a killed process has left.
#[derive(Debug)]
pub(crate) struct Journal<E> {
    file: File,
    path: PathBuf,
    /// Clock ticks since boot at the first change, or earlier.
    pub(crate) since: u64,
    pub(crate) entries: Vec<E>,
}

/// Returns the directories where a journal may be, the best first. It need not survive a reboot.
pub(crate) fn directories() -> Vec<PathBuf> {
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let first = [Some(PathBuf::from("/run")), own, Some(env::temp_dir())];
    first.into_iter().flatten().collect()
}

/// There is one journal per kind, user and PID namespace (a container has its own).
fn path<E: Entry>(directory: &Path) -> PathBuf {
    directory.join(format!("steadfast-{}-{}-{}", E::KIND, user(), numbering()))
}

fn boot() -> String {
    read::text("/proc/sys/kernel/random/boot_id").unwrap_or_default()
}

impl<E: Entry> Journal<E> {
    /// Creates a journal in the first directory that accepts one, unless another process has one.
    pub(crate) fn create(directories: &[PathBuf], since: u64) -> io::Result<Self> {
        let mut refused = io::Error::other("no directory for the journal");
        for directory in directories {
            match Self::create_in(directory, since) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => refused = error,
                Err(_) => return Err(in_the_way::<E>(directory)),
                created => return created,
            }
        }
        Err(refused)
    }

    /// The file gets its name when it is complete and locked: unlocked it would seem a leftover.
    fn create_in(directory: &Path, since: u64) -> io::Result<Self> {
        let path = path::<E>(directory);
        let mut file =
            NamedTempFile::with_prefix_in(format!("steadfast-{}-new-", E::KIND), directory)?;
        file.as_file().lock()?;
        writeln!(file, "{} {since}", boot())?;
        file.as_file().sync_all()?;
        let file = file.persist_noclobber(&path).map_err(|error| error.error)?;
        Ok(Self { file, path, since, entries: Vec::new() })
    }

    /// Returns the journal that a killed process has left in one of the directories.
    pub(crate) fn left_over(directories: &[PathBuf]) -> Option<Self> {
        directories.iter().find_map(|directory| {
            let path = path::<E>(directory);
            let mut file = open_own(&path)?;
            (is_nobodys(&file) && is_at(&file, &path)).then_some(())?;
            let mut bytes = Vec::new();
            file.rewind().and_then(|()| file.read_to_end(&mut bytes)).ok()?;
            if !bytes.ends_with(b"\n") {
                // New entries begin on a new line.
                let _ = file.write_all(b"\n");
            }
            // A damaged journal may contain anything.
            let (since, entries) = parse(&String::from_utf8_lossy(&bytes), &boot());
            Some(Self { file, path, since, entries })
        })
    }

    /// Returns true if there is a journal in any of the directories, whatever process has it.
    pub(crate) fn is_there(directories: &[PathBuf]) -> bool {
        let mut paths = directories.iter().map(|directory| path::<E>(directory));
        paths.any(|path| open_own(&path).is_some())
    }

    /// Returns the path of a journal that is not used, because someone else could have written it.
    pub(crate) fn distrusted(directories: &[PathBuf]) -> Option<PathBuf> {
        let mut paths = directories.iter().map(|directory| path::<E>(directory));
        paths.find(|path| fs::symlink_metadata(path).is_ok() && open_own(path).is_none())
    }

    /// Returns true if there is a journal of another user, or of another PID namespace.
    pub(crate) fn is_there_of_others(directory: &Path) -> bool {
        let prefix = format!("steadfast-{}-", E::KIND);
        let is_other = |name: &str| {
            let is_new = name.starts_with(&format!("{prefix}new-"));
            name.starts_with(&prefix) && !is_new && directory.join(name) != path::<E>(directory)
        };
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.any(|name| is_other(&name))
    }

    /// Adds entries; they are on disk when this returns. After an error nothing may be changed.
    pub(crate) fn add(&mut self, entries: Vec<E>) -> io::Result<()> {
        let text: String = entries.iter().map(|entry| entry.line() + "\n").collect();
        self.file.write_all(text.as_bytes())?;
        self.file.sync_all()?;
        self.entries.extend(entries);
        Ok(())
    }

    /// Removes the journal, after everything is restored.
    pub(crate) fn remove(&self) {
        // If it remains, the next start restores again, which changes nothing.
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens the file of that name if this user wrote it and no other user can change it.
fn open_own(path: &Path) -> Option<File> {
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    let is_own = |file: &fs::Metadata| {
        file.is_file() && file.uid() == user() && file.mode() & WRITABLE_BY_OTHERS == 0
    };
    fs::symlink_metadata(path).ok().filter(is_own)?;
    File::options().read(true).append(true).open(path).ok()
}

/// Returns true if the file still has its name: its previous holder may have removed it.
fn is_at(file: &File, path: &Path) -> bool {
    let number = |found: io::Result<fs::Metadata>| found.ok().map(|found| found.ino());
    number(file.metadata()) == number(fs::symlink_metadata(path))
}

/// The name is taken: by the journal of a run that is alive and locks it, or by something else.
fn in_the_way<E: Entry>(directory: &Path) -> io::Error {
    let path = path::<E>(directory);
    let is_held = open_own(&path).is_some_and(|file| !is_nobodys(&file));
    io::Error::other(if is_held {
        format!("another run has {}; wait until it ends", E::BUSY)
    } else {
        let path = path.display();
        format!("{path} is not a journal that only this user can write; remove it")
    })
}

/// How long a process that was killed while it started another may have lent that process its lock.
const LENT: Duration = Duration::from_millis(200);

/// Returns true if the process that wrote a journal has ended.
fn is_nobodys(journal: &File) -> bool {
    let look = || match journal.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        Err(TryLockError::Error(_)) | Ok(()) => Some(()),
    };
    wait_for(LENT, Duration::from_millis(10), look).is_some()
}

/// Returns no entries from another boot. A change with a truncated line was not made yet.
fn parse<E: Entry>(text: &str, boot: &str) -> (u64, Vec<E>) {
    let mut lines = text.lines();
    let head = lines.next().and_then(|line| line.split_once(' '));
    match head.map(|(of_boot, since)| (of_boot, since.parse())) {
        Some((of_boot, Ok(since))) if of_boot == boot => {
            (since, lines.filter_map(E::read).collect())
        }
        _ => (0, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use testing::refuses;

    /// An entry that is a number followed by a full stop.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Number(i32);

    impl Entry for Number {
        const KIND: &'static str = "numbers";
        const BUSY: &'static str = "changed its numbers";

        fn line(&self) -> String {
            format!("{}.", self.0)
        }

        fn read(line: &str) -> Option<Self> {
            line.strip_suffix('.')?.parse().ok().map(Self)
        }
    }

    type Journal = super::Journal<Number>;

    #[test]
    fn the_journal_of_a_killed_process_is_read_and_that_of_a_living_one_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let places = [directory.path().join("none"), directory.path().to_owned()];
        assert!(Journal::left_over(&places).is_none());
        let mut journal = Journal::create(&places, 5).unwrap();
        journal.add(vec![Number(7), Number(8)]).unwrap();
        journal.add(vec![Number(9)]).unwrap();
        assert!(Journal::left_over(&places).is_none(), "its process lives");
        refuses(Journal::create(&places, 5), "another run");
        drop(journal);
        let left = Journal::left_over(&places).unwrap();
        assert_eq!((left.since, left.entries.len()), (5, 3));
        assert_eq!(left.entries[2], Number(9));
        left.remove();
        assert!(Journal::left_over(&places).is_none());
    }

    #[test]
    fn a_journal_that_has_its_name_is_complete_and_locked() {
        let directory = tempfile::tempdir().unwrap();
        let places = [directory.path().to_owned()];
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            // Another thread looks for leftovers repeatedly.
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    if let Some(left) = Journal::left_over(&places) {
                        assert_eq!(left.entries.len(), 1, "it was not complete");
                        left.remove();
                    }
                }
            });
            for _ in 0..100 {
                let mut journal = Journal::create(&places, 5).unwrap();
                journal.add(vec![Number(7)]).unwrap();
                assert!(is_at(&journal.file, &journal.path), "it was taken away");
                journal.remove();
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn another_file_of_that_name_is_reported_and_a_damaged_journal_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let places = [directory.path().to_owned()];
        let path = path::<Number>(directory.path());
        fs::create_dir(&path).unwrap();
        assert!(Journal::left_over(&places).is_none());
        let error = Journal::create(&places, 5).unwrap_err().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
        assert!(error.contains("remove it"), "{error}");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "5\n7.\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o620)).unwrap();
        assert_eq!(Journal::distrusted(&places).as_deref(), Some(&*path));
        assert!(Journal::left_over(&places).is_none(), "others could write it");
        refuses(Journal::create(&places, 5), "remove it");
        fs::remove_file(&path).unwrap();
        for damaged in [&b""[..], b"\xff\xfe 5\n7.\n", &[0; 100]] {
            fs::write(&path, damaged).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            let left = Journal::left_over(&places).unwrap();
            assert!(left.entries.is_empty());
            left.remove();
        }
        assert!(Journal::create(&places, 5).is_ok());
        let files = directory.path().read_dir().unwrap().count();
        assert_eq!(files, 1, "no unnamed file is left");
    }

    #[test]
    fn another_boot_and_a_truncated_line_change_nothing() {
        let text = "here 5\n7.\n8";
        assert_eq!(parse(text, "here"), (5, vec![Number(7)]));
        assert_eq!(parse::<Number>(text, "elsewhere"), (0, vec![]));
        assert_eq!(parse::<Number>("", "here"), (0, vec![]));
        assert_eq!(parse::<Number>("nonsense", "here"), (0, vec![]));
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        assert!(Journal::create(&[PathBuf::from("/no/such/place")], 0).is_err());
    }
}
