//! Disables deep idle states through `/dev/cpu_dma_latency`.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;

use units::CpuSet;

use crate::read;

const PATH: &str = "/dev/cpu_dma_latency";

/// A request for 0 us latency, in force as long as the value exists; the kernel drops it with the
/// file, also when the process is killed.
#[derive(Debug)]
pub struct IdleHold {
    file: File,
}

impl IdleHold {
    /// Requests that no CPU enters an idle state that takes time to leave.
    ///
    /// Writes four bytes: the kernel refuses a single byte.
    ///
    /// # Errors
    /// Fails without permission to write the device; `NotFound` without the device, or with another
    /// file in its place.
    pub fn new() -> io::Result<Self> {
        let mut file = device(PATH, OpenOptions::new().read(true).write(true))?;
        file.write_all(&0i32.to_ne_bytes())?;
        Ok(Self { file })
    }

    /// Opens the device without a request: whether this process could hold idle states off.
    ///
    /// # Errors
    /// Fails like [`IdleHold::new`].
    pub fn try_one() -> io::Result<()> {
        let file = device(PATH, OpenOptions::new().read(true).write(true))?;
        file.read_exact_at(&mut [0; 4], 0)
    }

    /// Reads the latency in force through the held file, in microseconds.
    #[must_use]
    pub fn read_back(&self) -> Option<i32> {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, 0).ok()?;
        Some(i32::from_ne_bytes(bytes))
    }
}

/// Reads the latency in force when this process requests nothing, in microseconds; `None` if it
/// cannot be read.
#[must_use]
pub fn current_latency_us() -> Option<i32> {
    let mut bytes = [0; 4];
    device(PATH, OpenOptions::new().read(true)).ok()?.read_exact(&mut bytes).ok()?;
    Some(i32::from_ne_bytes(bytes))
}

/// Whether a file with these properties may be the device. A container may have /dev/null in its
/// place, which also takes four bytes.
#[must_use]
pub fn is_device(found: &Metadata) -> bool {
    /// The number of devices without a number of their own: Documentation/admin-guide/devices.txt.
    const MISC: u32 = 10;
    found.file_type().is_char_device() && rustix::fs::major(found.rdev()) == MISC
}

fn device(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<File> {
    let file = options.open(path)?;
    match is_device(&file.metadata()?) {
        true => Ok(file),
        false => Err(io::Error::new(ErrorKind::NotFound, "another file is in its place")),
    }
}

/// Returns the longest declared exit latency of the idle states of these CPUs, in nanoseconds; 0 if
/// they have none.
#[must_use]
pub fn longest_exit_ns(cpus: &CpuSet) -> i64 {
    let latency = |cpu: usize, state: usize| {
        let states = format!("/sys/devices/system/cpu/cpu{cpu}/cpuidle");
        read::value::<i64>(format!("{states}/state{state}/latency"))
    };
    let of_cpu = |cpu| (0..).map_while(move |state| latency(cpu, state));
    cpus.iter().flat_map(of_cpu).max().unwrap_or(0) * 1_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn another_file_is_not_the_device() {
        let empty = tempfile::NamedTempFile::new().unwrap();
        for path in [Path::new("/dev/null"), Path::new("/dev/zero"), empty.path()] {
            let refused = device(path, OpenOptions::new().read(true).write(true)).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::NotFound, "{}", path.display());
        }
    }

    #[test]
    fn a_hold_is_read_back() {
        let Ok(hold) = IdleHold::new() else {
            return skip(&format!("needs permission to write {PATH} (root)"));
        };
        assert_eq!(hold.read_back(), Some(0));
        assert_eq!(current_latency_us(), Some(0));
    }
}
