//! Holding idle states off through `/dev/cpu_dma_latency`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;

use units::CpuSet;

use crate::read;

const PATH: &str = "/dev/cpu_dma_latency";

/// The wish for 0 us latency, in force as long as the value lives; the kernel
/// drops it with the file, also when the process is killed.
#[derive(Debug)]
pub struct IdleHold {
    file: File,
}

impl IdleHold {
    /// Asks that no CPU enter an idle state that takes time to leave.
    ///
    /// Writes four bytes: a single byte is refused by the kernel.
    ///
    /// # Errors
    /// Without the right to write the device, or without the device.
    pub fn new() -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).open(PATH)?;
        file.write_all(&0i32.to_ne_bytes())?;
        Ok(Self { file })
    }

    /// The latency in force, in microseconds, read back through the held file.
    #[must_use]
    pub fn read_back(&self) -> Option<i32> {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, 0).ok()?;
        Some(i32::from_ne_bytes(bytes))
    }
}

/// The latency in force without any wish of this process, in microseconds;
/// `None` where it cannot be read.
#[must_use]
pub fn current_latency_us() -> Option<i32> {
    let mut bytes = [0; 4];
    File::open(PATH).ok()?.read_exact(&mut bytes).ok()?;
    Some(i32::from_ne_bytes(bytes))
}

/// The longest time that an idle state of these CPUs is declared to take to leave, in
/// nanoseconds; 0 where none is.
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
    fn a_hold_is_read_back() {
        let Ok(hold) = IdleHold::new() else {
            skip(&format!("needs the right to write {PATH} (root)"));
            return;
        };
        assert_eq!(hold.read_back(), Some(0));
        assert_eq!(current_latency_us(), Some(0));
    }
}
