//! Compaction load: makes the kernel compact free memory, as for requests of huge pages.

use std::fs;

use rt::mapping::Mapping;

use crate::kind::not_writable;
use crate::{Load, Processes, enough_memory};

/// Bytes allocated before each compaction.
const BYTES: usize = 8 << 20;
/// Writing to this file compacts all memory: proc_sys_vm(5).
const COMPACT: &str = "/proc/sys/vm/compact_memory";

pub(crate) const LOAD: Load = Load {
    name: "compact",
    summary: "has the kernel compact all memory; allocates 8 MiB in pages first, and frees them after; one process",
    unit: |_| "compactions of memory",
    processes: Processes::One,
    needs: Some("root"),
    is_aggressor: true,
    lacks: |_| not_writable(COMPACT),
    prepare: |_, granted| {
        enough_memory("compact", BYTES as u64, "", granted)?;
        not_writable(COMPACT).map_or(Ok(()), Err)?;
        Ok(Box::new(|| {
            let mut memory = Mapping::new(BYTES).map_err(|error| format!("mmap: {error}"))?;
            memory.touch(0..BYTES);
            fs::write(COMPACT, "1").map_err(|error| format!("{COMPACT}: {error}"))?;
            Ok(1)
        }))
    },
    ..Load::PLAIN
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel_counts::memory;
    use testing::skip;

    #[test]
    fn pages_are_allocated_and_memory_is_compacted() {
        let mut work = match (LOAD.prepare)("", u64::MAX) {
            Ok(work) => work,
            Err(why) => return skip(&why),
        };
        let counts = || [memory("pgalloc_"), memory("compact_")];
        let before = counts();
        let done: u64 = (0..3).map(|_| work().unwrap()).sum();
        let after = counts();
        assert_eq!(done, 3);
        assert!(after[0] - before[0] >= 3 * (BYTES / 4096) as u64 / 2);
        assert!(after[1] > before[1], "{before:?} {after:?}");
    }
}
