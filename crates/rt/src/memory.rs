//! Memory that never faults in a measured loop.

use std::fs;
use std::hint::black_box;
use std::io;
use std::ops::Range;

use rustix::mm::{MapFlags, MlockAllFlags, ProtFlags};

/// Stack that a measuring thread may use without a page fault, in bytes.
const TOUCHED_STACK: usize = 128 * 1024;

/// Locks all present and future memory of the process: mlockall(2).
///
/// # Errors
/// `EPERM` or `ENOMEM` without `CAP_IPC_LOCK` and beyond `RLIMIT_MEMLOCK`.
pub fn lock_all() -> io::Result<()> {
    Ok(rustix::mm::mlockall(
        MlockAllFlags::CURRENT | MlockAllFlags::FUTURE,
    )?)
}

/// Bytes that this process has locked (`VmLck`), 0 where the kernel does not
/// tell.
#[must_use]
pub fn locked_bytes() -> u64 {
    bytes_in("/proc/self/status", "VmLck:")
}

/// Memory that can be had without swapping (`MemAvailable`), in bytes; where /proc hides that,
/// what is free, which is less: sysinfo(2).
#[must_use]
pub fn available_bytes() -> u64 {
    match bytes_in("/proc/meminfo", "MemAvailable:") {
        0 => {
            let found = rustix::system::sysinfo();
            u64::from(found.mem_unit).saturating_mul(found.freeram)
        }
        bytes => bytes,
    }
}

/// All memory of the machine (`MemTotal`), in bytes.
#[must_use]
pub fn total_bytes() -> u64 {
    bytes_in("/proc/meminfo", "MemTotal:")
}

/// All swap of the machine (`SwapTotal`), in bytes.
#[must_use]
pub fn swap_bytes() -> u64 {
    bytes_in("/proc/meminfo", "SwapTotal:")
}

/// The number of a line such as `VmLck:  128 kB`.
fn bytes_in(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .and_then(|kib| kib.trim().parse::<u64>().ok())
        .map_or(0, |kib| kib * 1024)
}

/// Touches the stack that the calling thread will use.
#[inline(never)]
pub fn touch_stack() {
    black_box([1u8; TOUCHED_STACK]);
}

/// New memory of this process's own; dropped, it is given back: mmap(2), munmap(2).
#[derive(Debug)]
pub struct Mapping {
    start: *mut u8,
    bytes: usize,
}

impl Mapping {
    /// Maps so many bytes, none of which is there until it is touched.
    ///
    /// # Errors
    /// `ENOMEM` without room for them, `EINVAL` for 0 bytes.
    pub fn new(bytes: usize) -> io::Result<Self> {
        // SAFETY: the mapping is new and private, and the kernel chooses its place.
        let start = unsafe {
            rustix::mm::mmap_anonymous(
                std::ptr::null_mut(),
                bytes,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE,
            )?
        };
        Ok(Self {
            start: start.cast(),
            bytes,
        })
    }

    /// Touches every page of a part, from one byte to before another; nothing of what
    /// lies beyond its end.
    pub fn touch(&mut self, part: Range<usize>) {
        const PAGE: usize = 4096;
        for offset in (part.start..part.end.min(self.bytes)).step_by(PAGE) {
            // SAFETY: the byte is inside the mapping, which nothing else knows of.
            unsafe { self.start.add(offset).write_volatile(1) };
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, whole, and used by nobody after this.
        let _ = unsafe { rustix::mm::munmap(self.start.cast(), self.bytes) };
    }
}

/// Room for a known number of values, touched page by page before the first.
///
/// What does not fit is counted as lost, never written elsewhere.
#[derive(Debug)]
pub struct Samples {
    values: Box<[u64]>,
    used: usize,
    lost: u64,
}

impl Samples {
    /// Room for `capacity` values.
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

    /// The values kept.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.values[..self.used]
    }

    /// The values kept, as a recording holds them.
    #[must_use]
    pub fn to_column(&self) -> Vec<i64> {
        self.values().iter().map(|value| *value as i64).collect()
    }

    /// How many values did not fit.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_mapped_touched_and_given_back() {
        for bytes in [1, 4096, 1 << 20] {
            let mut mapping = Mapping::new(bytes).unwrap();
            mapping.touch(0..bytes);
            mapping.touch(bytes..2 * bytes);
        }
        assert!(Mapping::new(0).is_err());
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut samples = Samples::with_capacity(2);
        (1..=5).for_each(|value| samples.push(value));
        assert_eq!(samples.values(), [1, 2]);
        assert_eq!(samples.lost(), 3);
    }
}
