//! Private instances of the kernel's tracing: Documentation/trace/ftrace.rst, "Instances".
//!
//! An instance has its own events and buffers, so other users' tracing is not affected. It outlives
//! its process, so its name contains its owner, and a later process can remove it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::Pid;
use rustix::thread::{UnshareFlags, unshare_unsafe};

use crate::owned::{is_left_over, name_of};
use crate::read;
use crate::thread::{start_in, wait_for};

const PREFIX: &str = "steadfast-";
/// The kernel's place for mounting tracefs.
const PLACE: &str = "/sys/kernel/tracing";
/// How long an instance may be busy at its end.
const LONGEST_BUSY: Duration = Duration::from_secs(2);
const TRY_EVERY: Duration = Duration::from_millis(5);

/// Returns where tracefs is mounted for the calling thread.
#[must_use]
pub fn mounted() -> Option<PathBuf> {
    let mounts = read::text("/proc/thread-self/mounts")?;
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (_, place, kind) = (words.next()?, words.next()?, words.next()?);
        (kind == "tracefs").then(|| place.into())
    })
}

/// Returns where tracefs is mounted for the calling thread. If it is not mounted, mounts it only
/// for this thread and the threads and processes that it starts later.
///
/// # Errors
/// `EPERM` without `CAP_SYS_ADMIN`; `ENOENT` or `ENODEV` if the kernel has no tracing.
pub fn found_or_mounted() -> io::Result<PathBuf> {
    mounted().map_or_else(mount_privately, Ok)
}

/// Mounts tracefs in a mount namespace of the calling thread: unshare(2), mount(2). No other
/// process sees the mount, and it ends with the last thread or process in the namespace.
fn mount_privately() -> io::Result<PathBuf> {
    // SAFETY: no file descriptor is affected.
    unsafe { unshare_unsafe(UnshareFlags::NEWNS)? };
    // Otherwise the mount would appear outside too.
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    mount("tracefs", PLACE, "tracefs", MountFlags::empty(), None)?;
    Ok(PLACE.into())
}

/// Reads the kernel's description of its events from a file below `events`. Reads it in one call:
/// `header_page` returns nothing after its first read, however small that was.
#[must_use]
pub fn described(path: &Path) -> Option<String> {
    const LARGEST: usize = 1 << 16;
    let (mut file, mut text) = (File::open(path).ok()?, Vec::new());
    let mut room = vec![0; LARGEST];
    while let count @ 1.. = file.read(&mut room).ok()? {
        text.extend(&room[..count]);
    }
    String::from_utf8(text).ok()
}

/// An instance of this process; dropping the value removes it.
#[derive(Debug)]
pub struct Instance {
    path: PathBuf,
}

impl Instance {
    /// Creates an instance below the place where tracefs is mounted.
    ///
    /// # Errors
    /// `EACCES` without permission to write there, `EEXIST` if this process already has an
    /// instance.
    pub fn create(root: &Path) -> io::Result<Self> {
        let name = name_of(PREFIX, crate::process::this())
            .ok_or_else(|| io::Error::other("/proc does not show this process"))?;
        let path = root.join("instances").join(name);
        fs::create_dir(&path)?;
        Ok(Self { path })
    }

    /// Writes a setting.
    ///
    /// # Errors
    /// Returns the kernel's error, with the name of the file.
    pub fn set(&self, file: &str, text: &str) -> io::Result<()> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{file}: {error}"));
        fs::write(self.path.join(file), text).map_err(named)
    }

    /// Reads a setting.
    #[must_use]
    pub fn get(&self, file: &str) -> Option<String> {
        read::text(self.path.join(file))
    }

    /// Opens the raw pages of a CPU's buffer; a read removes the events, and never waits.
    ///
    /// # Errors
    /// Returns the kernel's error.
    pub fn pages(&self, cpu: usize) -> io::Result<File> {
        let path = format!("per_cpu/cpu{cpu}/trace_pipe_raw");
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(self.path.join(path))
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // A process that another thread starts keeps copies of open files until it executes its program.
        let is_removed = || match fs::remove_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => None,
            removed => Some(removed),
        };
        // If it cannot be removed now, the next start removes it.
        let _ = wait_for(LONGEST_BUSY, TRY_EVERY, is_removed);
    }
}

/// A file with which lines are written among the events of an instance.
#[derive(Debug)]
pub struct Marker(File);

impl Marker {
    /// Opens the marker of a process's instance, if it has one.
    #[must_use]
    pub fn into_instance_of(process: Pid) -> Option<Self> {
        let instance = mounted()?.join("instances").join(name_of(PREFIX, process)?);
        let opened = OpenOptions::new().write(true).open(instance.join("trace_marker"));
        opened.ok().map(Self)
    }

    /// Writes a line with the present time into the buffer of this CPU.
    pub fn write(&self, line: &[u8]) {
        // A refused mark is missing in the trace, which is reported.
        let _ = (&self.0).write_all(line);
    }
}

/// Removes the instances that killed processes left, also if tracefs is not mounted; returns their
/// number.
#[must_use]
pub fn remove_all_left_over() -> usize {
    // A mount exists only for that thread, and ends with it.
    let apart = || found_or_mounted().map_or(0, |root| remove_left_over(&root));
    thread::scope(|scope| {
        let started = start_in(scope, "left over", apart).ok();
        started.and_then(|thread| thread.join().ok()).unwrap_or(0)
    })
}

/// Removes the instances that killed processes left; returns their number.
#[must_use]
pub fn remove_left_over(root: &Path) -> usize {
    let entries = fs::read_dir(root.join("instances")).into_iter().flatten();
    let is_left = |entry: &fs::DirEntry| {
        entry.file_name().to_str().is_some_and(|name| is_left_over(PREFIX, name))
    };
    let left: Vec<_> = entries.flatten().filter(is_left).collect();
    left.iter().filter(|entry| fs::remove_dir(entry.path()).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn an_instance_takes_marks_and_is_gone_afterwards() {
        let made = found_or_mounted().and_then(|root| Ok((Instance::create(&root)?, root)));
        let Ok((instance, root)) = made else {
            return skip("needs permission to trace (root, and tracefs in the kernel)");
        };
        let path = instance.path.clone();
        let header = described(&root.join("events/header_page")).unwrap();
        assert!(header.contains("data"), "{header}");
        let marker = Marker::into_instance_of(crate::process::this()).unwrap();
        marker.write(b"a mark");
        assert!(instance.get("trace").unwrap().contains("a mark"));
        // As a process that another thread has just started, it keeps the instance busy for a moment.
        let keeps_busy = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            drop(marker);
        });
        drop(instance);
        assert!(!path.exists());
        keeps_busy.join().unwrap();
    }
}
