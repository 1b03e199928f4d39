//! Facts about a machine that none of its files has: from its processor and this program's libraries.

use base::CpuSet;
use rt::{clock, memory, posix, sched, system};

/// Pages of this size are not reported, as in results from before other sizes were known.
const USUAL_PAGE_BYTES: u64 = 4096;

/// Facts about a machine that none of its files has.
#[derive(Debug, Clone, Default)]
pub struct Unfiled {
    /// Instruction set architecture.
    pub architecture: String,
    /// The hypervisor that the processor names.
    pub hypervisor: Option<String>,
    /// The real-time core beside Linux that answers this program.
    pub core_beside_linux: Option<String>,
    /// Frequency of the counter behind the clock, if it is coarser than a nanosecond.
    pub counter_hz: Option<u64>,
    /// Size of a page of memory, if it is not 4 KiB.
    pub page_bytes: Option<u64>,
    /// CPUs on which this thread may run.
    pub allowed: CpuSet,
}

impl Unfiled {
    /// Reads the facts of this machine.
    pub fn here() -> Self {
        Self {
            architecture: std::env::consts::ARCH.to_owned(),
            hypervisor: system::hypervisor(),
            core_beside_linux: posix::core(),
            counter_hz: clock::counter_hz().filter(|frequency| *frequency < 1_000_000_000),
            page_bytes: Some(memory::page_bytes()).filter(|bytes| *bytes != USUAL_PAGE_BYTES),
            allowed: sched::affinity().unwrap_or_default(),
        }
    }
}
