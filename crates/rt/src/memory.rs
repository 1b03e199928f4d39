//! Memory that never faults in a measured loop.

use std::hint::black_box;
use std::io;
use std::path::Path;

use rustix::mm::MlockAllFlags;

use crate::control_group::ControlGroups;
use crate::read;

/// The stack that a measuring thread may use without a page fault, in bytes.
const TOUCHED_STACK: usize = 128 * 1024;

/// Locks all present and future memory of the process: mlockall(2).
///
/// # Errors
/// `EPERM` or `ENOMEM` without `CAP_IPC_LOCK` and beyond `RLIMIT_MEMLOCK`.
pub fn lock_all() -> io::Result<()> {
    Ok(rustix::mm::mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE)?)
}

/// Locks all memory of the process, and unlocks it: whether the kernel grants it.
///
/// # Errors
/// Fails like [`lock_all`].
pub fn try_lock_all() -> io::Result<()> {
    let locked = lock_all();
    rustix::mm::munlockall()?;
    locked
}

/// Whether this process may lock all of its memory; afterwards, the memory is not locked.
#[must_use]
pub fn may_lock_all() -> bool {
    try_lock_all().is_ok()
}

/// Returns how many bytes this process has locked (`VmLck`); 0 if the kernel does not report it.
#[must_use]
pub fn locked_bytes() -> u64 {
    bytes_in("/proc/self/status", "VmLck:")
}

/// Returns the memory available without swapping, in bytes: `MemAvailable`, or if /proc hides that,
/// the free memory, which is less (sysinfo(2)); at most what the limits of control groups leave.
#[must_use]
pub fn available_bytes() -> u64 {
    let machine = match bytes_in("/proc/meminfo", "MemAvailable:") {
        0 => {
            let found = rustix::system::sysinfo();
            u64::from(found.mem_unit).saturating_mul(found.freeram)
        }
        bytes => bytes,
    };
    left_bytes().map_or(machine, |left| left.min(machine))
}

/// For version 2 and for version 1 of control groups: the file with the limit, the file with the
/// memory used, and the line of `memory.stat` with the file cache in it that the kernel drops first
/// (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
const FILES: [[&str; 3]; 2] = [
    ["memory.max", "memory.current", "inactive_file "],
    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
];

/// Returns how many bytes the nearest memory limit leaves this process; `None` without a limit.
fn left_bytes() -> Option<u64> {
    let groups = ControlGroups::of_this(&|file| read::text(file))?;
    let all = [("", FILES[0]), ("memory", FILES[1])].into_iter();
    let left = all.flat_map(|(controller, files)| {
        let folders = groups.folders(controller).into_iter();
        folders.filter_map(move |folder| left_in(&folder, files))
    });
    left.min()
}

fn left_in(folder: &Path, [limit, used, dropped]: [&str; 3]) -> Option<u64> {
    let limit: u64 = read::value(folder.join(limit))?;
    let used: u64 = read::value(folder.join(used))?;
    let stat = read::text(folder.join("memory.stat")).unwrap_or_default();
    let dropped = read::field(&stat, dropped).and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(dropped)))
}

/// Returns the size of a page of memory, in bytes: 4 KiB on x86-64; 4, 16 or 64 KiB on 64-bit Arm.
#[must_use]
pub fn page_bytes() -> u64 {
    rustix::param::page_size() as u64
}

/// Returns the number of a line such as `VmLck:  128 kB`, in bytes.
fn bytes_in(file: &str, name: &str) -> u64 {
    let text = read::text(file).unwrap_or_default();
    let kib = read::field(&text, name).and_then(|rest| rest.strip_suffix(" kB")?.parse().ok());
    kib.map_or(0, |kib: u64| kib * 1024)
}

/// Touches the stack that the calling thread will use.
#[inline(never)]
pub fn touch_stack() {
    black_box([1u8; TOUCHED_STACK]);
}

/// Room for a fixed number of values, every page of which is touched before the first value.
///
/// Values that do not fit are counted as lost, never written elsewhere.
#[derive(Debug)]
pub struct Samples {
    values: Box<[u64]>,
    used: usize,
    lost: u64,
}

impl Samples {
    /// Allocates room for `capacity` values.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            // A pattern other than zero makes the kernel back every page.
            values: vec![u64::MAX; capacity].into_boxed_slice(),
            used: 0,
            lost: 0,
        }
    }

    /// Keeps one value; never allocates.
    #[inline]
    pub fn push(&mut self, value: u64) {
        match self.values.get_mut(self.used) {
            Some(place) => {
                *place = value;
                self.used += 1;
            }
            None => self.lost += 1,
        }
    }

    /// Forgets all values but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.used = self.used.min(count);
    }

    /// Forgets all values, and keeps the room.
    pub fn clear(&mut self) {
        self.used = 0;
        self.lost = 0;
    }

    /// Returns the values kept.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.values[..self.used]
    }

    /// Returns the values kept, in the type of a recording's columns.
    #[must_use]
    pub fn to_column(&self) -> Vec<i64> {
        self.values().iter().map(|value| *value as i64).collect()
    }

    /// Returns how many values did not fit.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut samples = Samples::with_capacity(2);
        (1..=5).for_each(|value| samples.push(value));
        assert_eq!(samples.values(), [1, 2]);
        assert_eq!(samples.lost(), 3);
        samples.clear();
        assert_eq!((samples.values(), samples.lost()), (&[][..], 0));
    }

    #[test]
    fn a_limit_leaves_what_is_not_used_and_what_files_take() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(left_in(folder, FILES[0]), None);
        write("memory.max", "1000\n");
        assert_eq!(left_in(folder, FILES[0]), Some(300));
        write("memory.stat", "anon 500\ninactive_file 200\n");
        assert_eq!(left_in(folder, FILES[0]), Some(500));
        write("memory.limit_in_bytes", "100\n");
        write("memory.usage_in_bytes", "700\n");
        assert_eq!(left_in(folder, FILES[1]), Some(0));
    }
}
