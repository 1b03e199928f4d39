//! Paging load: maps, touches and unmaps much memory, as programs that start and end do.

use rt::mapping::Mapping;

use crate::{Load, enough_memory};

/// Memory mapped and unmapped at once, in MiB.
const PIECE_MIB: usize = 64;
/// Memory touched per unit of work, in MiB.
const STEP_MIB: usize = 2;

pub(crate) const LOAD: Load = Load {
    name: "paging",
    summary: "maps 64 MiB, touches every page, and unmaps all of it at once",
    unit: |_| "MiB mapped, touched and unmapped",
    prepare: |_, granted| {
        let bytes = PIECE_MIB << 20;
        enough_memory("paging", bytes as u64, "", granted)?;
        let mut piece = map(bytes)?;
        let mut touched = 0;
        Ok(Box::new(move || {
            if touched == bytes {
                touched = 0;
                piece = map(bytes)?;
            }
            let next = touched + (STEP_MIB << 20);
            piece.touch(touched..next);
            touched = next;
            Ok(STEP_MIB as u64)
        }))
    },
    ..Load::PLAIN
};

fn map(bytes: usize) -> Result<Mapping, String> {
    Mapping::new(bytes).map_err(|error| format!("mmap: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_the_memory_reports_it() {
        let lacking = (LOAD.prepare)("", 1 << 20).err().unwrap();
        assert!(lacking.contains("fewer CPUs"), "{lacking}");
        let mut work = (LOAD.prepare)("", u64::MAX).unwrap();
        for _ in 0..=PIECE_MIB / STEP_MIB {
            assert_eq!(work(), Ok(STEP_MIB as u64));
        }
    }
}
