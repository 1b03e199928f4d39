//! Own instances of the kernel's tracing: Documentation/trace/ftrace.rst, "Instances".
//!
//! An instance has events and buffers of its own, so that nobody else's tracing is
//! touched. It outlives its process, so its name says whose it is, and a later process
//! can remove it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;

use rustix::process::Pid;

use crate::owned::{is_left_over, name_of};
use crate::read;
use crate::thread::start_in;

const PREFIX: &str = "steadfast-";
/// Where the kernel has a place for tracefs.
const PLACE: &str = "/sys/kernel/tracing";

/// Where tracefs is mounted for the calling thread.
#[must_use]
pub fn mounted() -> Option<PathBuf> {
    let mounts = read::text("/proc/thread-self/mounts")?;
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (_, place, kind) = (words.next()?, words.next()?, words.next()?);
        (kind == "tracefs").then(|| place.into())
    })
}

/// Mounts tracefs for the calling thread, and what it starts later, alone: unshare(2),
/// mount(2). Nobody else sees it, and it ends with the last of these.
///
/// # Errors
/// `EPERM` without `CAP_SYS_ADMIN`; `ENOENT` or `ENODEV` where the kernel has no tracing.
pub fn mount_privately() -> io::Result<PathBuf> {
    let done = |result| match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    };
    let nothing = std::ptr::null();
    // SAFETY: each text is a C string that outlives the call; where no text is needed,
    // null is allowed (mount(2)).
    unsafe {
        done(libc::unshare(libc::CLONE_NEWNS))?;
        // Else the mount would appear outside too.
        let private = libc::MS_REC | libc::MS_PRIVATE;
        done(libc::mount(nothing, c"/".as_ptr(), nothing, private, nothing.cast()))?;
        let tracefs = c"tracefs".as_ptr();
        let place = c"/sys/kernel/tracing".as_ptr();
        done(libc::mount(tracefs, place, tracefs, 0, nothing.cast()))?;
    }
    Ok(PLACE.into())
}

/// What the kernel says of its events in a file below `events`. It is read in one go:
/// `header_page` has nothing more after its first read, however small that was.
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

/// An instance of this process; dropped, it is removed.
#[derive(Debug)]
pub struct Instance {
    path: PathBuf,
}

impl Instance {
    /// A new instance below the place where tracefs is mounted.
    ///
    /// # Errors
    /// `EACCES` without the right to write there, `EEXIST` where this process has one.
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
    /// The kernel's, with the name of the file.
    pub fn set(&self, file: &str, text: &str) -> io::Result<()> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{file}: {error}"));
        fs::write(self.path.join(file), text).map_err(named)
    }

    /// Reads a setting.
    #[must_use]
    pub fn get(&self, file: &str) -> Option<String> {
        read::text(self.path.join(file))
    }

    /// The raw pages of a CPU's buffer; a read takes the events out, and never waits.
    ///
    /// # Errors
    /// The kernel's.
    pub fn pages(&self, cpu: usize) -> io::Result<File> {
        let path = format!("per_cpu/cpu{cpu}/trace_pipe_raw");
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(self.path.join(path))
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next start.
        let _ = fs::remove_dir(&self.path);
    }
}

/// A way to write a line among the events of an instance.
#[derive(Debug)]
pub struct Marker(File);

impl Marker {
    /// Into the instance of a process, where there is one.
    #[must_use]
    pub fn into_instance_of(process: Pid) -> Option<Self> {
        let instance = mounted()?.join("instances").join(name_of(PREFIX, process)?);
        let opened = OpenOptions::new().write(true).open(instance.join("trace_marker"));
        opened.ok().map(Self)
    }

    /// Writes a line at the present moment into the buffer of this CPU.
    pub fn write(&self, line: &[u8]) {
        // A mark that is refused is missing in the trace, which is told.
        let _ = (&self.0).write_all(line);
    }
}

/// Removes what killed processes left, also where tracefs is not mounted; how many
/// instances that were.
#[must_use]
pub fn remove_all_left_over() -> usize {
    if let Some(root) = mounted() {
        return remove_left_over(&root);
    }
    // The mount is this thread's alone, and ends with it.
    let apart = || mount_privately().map_or(0, |root| remove_left_over(&root));
    thread::scope(|scope| {
        let started = start_in(scope, "left over", apart).ok();
        started.and_then(|thread| thread.join().ok()).unwrap_or(0)
    })
}

/// Removes what killed processes left; how many instances that were.
#[must_use]
pub fn remove_left_over(root: &Path) -> usize {
    let entries = fs::read_dir(root.join("instances")).into_iter().flatten();
    let names = entries.flatten().map(|entry| entry.file_name());
    let left: Vec<_> =
        names.filter(|name| name.to_str().is_some_and(|name| is_left_over(PREFIX, name))).collect();
    let removed =
        |name: &&std::ffi::OsString| fs::remove_dir(root.join("instances").join(name)).is_ok();
    left.iter().filter(removed).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn an_instance_takes_marks_and_is_gone_afterwards() {
        let Some(root) = mounted() else {
            return skip("needs tracefs");
        };
        let Ok(instance) = Instance::create(&root) else {
            return skip("needs the right to write to tracefs (root)");
        };
        let path = instance.path.clone();
        let header = described(&root.join("events/header_page")).unwrap();
        assert!(header.contains("data"), "{header}");
        let marker = Marker::into_instance_of(crate::process::this()).unwrap();
        marker.write(b"a mark");
        assert!(instance.get("trace").unwrap().contains("a mark"));
        drop(marker);
        drop(instance);
        assert!(!path.exists());
    }
}
