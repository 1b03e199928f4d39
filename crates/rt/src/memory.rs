//! Memory that never faults in a measured loop.

use std::fs;
use std::hint::black_box;
use std::io;

use rustix::mm::MlockAllFlags;

/// Stack that a measuring thread may use without a page fault, in bytes.
const TOUCHED_STACK: usize = 128 * 1024;

/// Locks all present and future memory of the process: mlockall(2).
///
/// # Errors
/// `EPERM` or `ENOMEM` without `CAP_IPC_LOCK` and beyond `RLIMIT_MEMLOCK`.
pub fn lock_all() -> io::Result<()> {
    Ok(rustix::mm::mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE)?)
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
    fn what_does_not_fit_is_counted() {
        let mut samples = Samples::with_capacity(2);
        (1..=5).for_each(|value| samples.push(value));
        assert_eq!(samples.values(), [1, 2]);
        assert_eq!(samples.lost(), 3);
    }
}
