//! Cache load: evicts other programs' data from the last-level cache.

use std::hint::black_box;

use crate::kind::{MIB, last_cache};
use crate::{Load, enough_memory};

/// Numbers per cache line of 64 bytes.
const LINE: usize = 64 / size_of::<u64>();
/// Cache lines touched per unit of work: 2 MiB.
const AT_ONCE: usize = 2 * MIB / LINE;

pub(crate) const LOAD: Load = Load {
    name: "cache",
    summary: "writes to a buffer as large as the last-level cache, one number per cache line",
    unit: |_| "cache lines written to",
    is_aggressor: true,
    prepare: |_, granted| {
        let bytes = last_cache();
        enough_memory("cache", bytes, " to fill the last-level cache", granted)?;
        let lines = (bytes as usize / 64).next_multiple_of(AT_ONCE);
        let mut buffer = vec![1_u64; lines * LINE];
        let mut place = 0;
        Ok(Box::new(move || {
            let part = &mut buffer[place..place + AT_ONCE * LINE];
            for number in part.iter_mut().step_by(LINE) {
                *number = number.wrapping_add(1);
            }
            black_box(part);
            place = (place + AT_ONCE * LINE) % buffer.len();
            Ok(AT_ONCE as u64)
        }))
    },
    ..Load::PLAIN
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_an_error_and_enough_counts_lines() {
        let lacking = (LOAD.prepare)("", 1).err().unwrap();
        assert!(lacking.contains("fewer CPUs"), "{lacking}");
        let mut work = (LOAD.prepare)("", u64::MAX).unwrap();
        let rounds = last_cache() as usize / 64 / AT_ONCE + 2;
        let lines: u64 = (0..rounds).map(|_| work().unwrap()).sum();
        assert_eq!(lines, (rounds * AT_ONCE) as u64);
    }
}
