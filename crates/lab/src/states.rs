//! The folder of the saved states: each is made once, and the ones that were not used for the longest
//! time are removed.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use rt::read::{bounded, free_bytes};

use crate::change::{make, write};
use crate::save::save;
use crate::state::{MEMORY_BYTES, NoState, State};
use crate::{Kernel, LabError, Setup};

/// Most bytes of all states together; one takes 110 MB and twice the size of the initrd.
const MOST_BYTES: u64 = 4 << 30;
/// How often a process looks whether another one has made the state for which it waits.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A file with the reason why a state is missing.
const REFUSED: &str = "refused";
const LONGEST_REASON: u64 = 4096;
/// How the name of a state ends that is being made.
const NEW: &str = ".new";

/// The saved states of the machines of a lab.
#[derive(Debug)]
pub struct States {
    folder: PathBuf,
}

impl States {
    /// Returns the states in the lab of that kernel.
    pub fn of(kernel: &Kernel) -> Self {
        Self { folder: kernel.states.clone() }
    }

    /// Returns the state of a machine; makes it if it is missing, in at most `patience`. Waits while
    /// another process makes it.
    ///
    /// # Errors
    /// Why the state is missing.
    pub fn get(
        &self,
        setup: &Setup,
        patience: Duration,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<State, NoState> {
        let place = self.folder.join(&setup.sha256);
        if let Some(found) = found(&place) {
            return found;
        }
        make(&self.folder)?;
        let _making = self.lock(&setup.sha256, keep_going)?;
        if let Some(found) = found(&place) {
            return found;
        }
        self.remove_left_over();
        self.check_room()?;
        let new = self.folder.join(format!("{}{NEW}", setup.sha256));
        // A killed process may have left it behind.
        let _ = fs::remove_dir_all(&new);
        fs::create_dir(&new).map_err(LabError::file(&new))?;
        let saved = save(setup, &new, patience, keep_going);
        if saved.is_ok() {
            fs::rename(&new, &place).map_err(LabError::file(&place))?;
            self.remove_oldest(MOST_BYTES);
        } else {
            let _ = fs::remove_dir_all(&new);
        }
        if let Err(NoState::Refused(why)) = &saved {
            self.refuse(&setup.sha256, why);
        }
        saved?;
        State::open(&place).map_err(|error| LabError::file(&place)(error).into())
    }

    /// Removes a state that cannot be restored, and keeps the reason.
    pub fn discard(&self, setup: &Setup, why: &str) {
        self.refuse(&setup.sha256, why);
    }

    fn refuse(&self, key: &str, why: &str) {
        let place = self.folder.join(key);
        let _ = fs::remove_dir_all(&place);
        // If this fails, the next machine tries to save it again.
        let _ = make(&place).and_then(|()| write(&place.join(REFUSED), why.as_bytes()));
    }

    /// Keeps other processes from making the same state, and a few others.
    fn lock(&self, key: &str, keep_going: &mut dyn FnMut() -> bool) -> Result<File, NoState> {
        let file = self.lock_file(key)?;
        while file.try_lock().is_err() {
            if !keep_going() {
                return Err(NoState::Interrupted);
            }
            sleep(LOOK_EVERY);
        }
        Ok(file)
    }

    fn lock_file(&self, key: &str) -> Result<File, LabError> {
        let path = self.folder.join(format!("lock-{}", &key[..1]));
        File::create(&path).map_err(LabError::file(&path))
    }

    fn check_room(&self) -> Result<(), NoState> {
        let free = free_bytes(&self.folder).map_err(LabError::file(&self.folder))?;
        if free < MEMORY_BYTES {
            let folder = self.folder.display();
            return Err(NoState::Failed(format!("`{folder}` has less than 1 GiB of free space")));
        }
        Ok(())
    }

    /// Removes what killed processes have left behind: its lock is free.
    fn remove_left_over(&self) {
        let new = self.names().into_iter().filter(|name| name.ends_with(NEW));
        for name in new {
            if self.lock_file(&name).is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(self.folder.join(name));
            }
        }
    }

    /// Removes the states that were not used for the longest time, until the others fit.
    fn remove_oldest(&self, most_bytes: u64) {
        let names = self.names().into_iter().filter(|name| !name.ends_with(NEW));
        let mut states: Vec<Kept> =
            names.filter_map(|name| kept(&self.folder.join(name)).ok()).collect();
        states.sort_by_key(|state| state.used);
        let mut bytes: u64 = states.iter().map(|state| state.bytes).sum();
        for state in &states {
            if bytes <= most_bytes {
                return;
            }
            // A machine that has opened it keeps it.
            if fs::remove_dir_all(&state.place).is_ok() {
                bytes -= state.bytes;
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

/// Returns the state, or why it is missing; `None` if it was not tried.
fn found(place: &Path) -> Option<Result<State, NoState>> {
    if let Ok(state) = State::open(place) {
        return Some(Ok(state));
    }
    let why = bounded(place.join(REFUSED), LONGEST_REASON).ok()?;
    Some(Err(NoState::Refused(String::from_utf8_lossy(&why).into_owned())))
}

struct Kept {
    place: PathBuf,
    bytes: u64,
    /// When it was used for the last time.
    used: SystemTime,
}

fn kept(place: &Path) -> io::Result<Kept> {
    let mut kept = Kept { place: place.to_owned(), bytes: 0, used: SystemTime::UNIX_EPOCH };
    for entry in fs::read_dir(place)? {
        let about = entry?.metadata()?;
        kept.bytes += about.blocks() * 512;
        kept.used = kept.used.max(about.modified()?);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::thread::wait_for;
    use std::fs::FileTimes;
    use tempfile::{TempDir, tempdir};

    /// Returns states of these names, each with 8 KiB, used one after the other.
    fn states(names: &[&str]) -> (States, TempDir) {
        let folder = tempdir().unwrap();
        for (second, name) in (1..).zip(names) {
            let place = folder.path().join(name);
            fs::create_dir(&place).unwrap();
            fs::write(place.join("memory"), [1; 8192]).unwrap();
            let used = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
            let file = File::options().write(true).open(place.join("memory")).unwrap();
            file.set_times(FileTimes::new().set_modified(used)).unwrap();
        }
        (States { folder: folder.path().to_owned() }, folder)
    }

    fn names(states: &States) -> Vec<String> {
        let mut names = states.names();
        names.sort();
        names
    }

    #[test]
    fn the_states_that_were_not_used_for_the_longest_time_are_removed() {
        let (states, _folder) = states(&["c", "a", "d", "b"]);
        states.remove_oldest(1 << 20);
        assert_eq!(names(&states), ["a", "b", "c", "d"]);
        states.remove_oldest(3 * 8192);
        assert_eq!(names(&states), ["a", "b", "d"]);
        states.remove_oldest(8192);
        assert_eq!(names(&states), ["b"]);
    }

    #[test]
    fn half_a_state_is_removed_unless_a_process_makes_it() {
        let (states, _folder) = states(&["a1.new", "b1.new", "b1"]);
        let making = states.lock("a1", &mut || true).unwrap();
        states.remove_left_over();
        assert_eq!(names(&states), ["a1.new", "b1"]);
        assert!(matches!(states.lock("a2", &mut || false), Err(NoState::Interrupted)));
        drop(making);
        // A process that another test starts has the lock, too, until it runs its program.
        let is_removed = || {
            states.remove_left_over();
            (names(&states) == ["b1"]).then_some(())
        };
        assert!(wait_for(Duration::from_secs(20), LOOK_EVERY, is_removed).is_some());
    }

    #[test]
    fn the_reason_why_there_is_no_state_is_kept() {
        let (states, folder) = states(&[]);
        let place = folder.path().join("a1");
        assert!(found(&place).is_none());
        states.refuse("a1", "QEMU refuses");
        assert_eq!(found(&place).unwrap().unwrap_err(), NoState::Refused("QEMU refuses".into()));
    }
}
