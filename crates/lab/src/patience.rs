//! How long a machine may go without an answer.

use std::process::Child;
use std::time::{Duration, Instant};

use rt::process::{Pid, cpu_time};

/// How many times as long as its CPU time a machine may take, on a busy host.
const BUSY_HOST: u32 = 10;

/// A limit of a machine's CPU time: how long that takes depends on what else the host does.
#[derive(Debug)]
pub struct Patience {
    machine: Pid,
    begun: Instant,
    /// The CPU time that the machine had used; `None` if that cannot be seen.
    used_before: Option<Duration>,
    longest: Duration,
}

impl Patience {
    /// Begins to wait for a machine, which may use that much CPU time.
    pub(crate) fn with(qemu: &Child, longest: Duration) -> Self {
        let machine = Pid::from_child(qemu);
        Self { machine, begun: Instant::now(), used_before: cpu_time(machine), longest }
    }

    /// Whether the machine has used all of it, or ten times as long has passed.
    pub fn is_over(&self) -> bool {
        let waited = self.begun.elapsed();
        let used = self.used_before.and_then(|before| cpu_time(self.machine)?.checked_sub(before));
        used.unwrap_or(waited) > self.longest || waited > self.longest * BUSY_HOST
    }
}
