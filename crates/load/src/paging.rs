//! Paging load: large pieces of memory mapped, touched and given back, as by programs
//! that come and go.

use rt::memory::Mapping;

use crate::{Load, Work, enough_memory};

pub(crate) struct Paging;

/// Memory mapped, and given back at once, in MiB.
const PIECE_MIB: usize = 64;
/// What is touched at once, in MiB.
const STEP_MIB: usize = 2;

impl Load for Paging {
    fn name(&self) -> &'static str {
        "paging"
    }

    fn summary(&self) -> &'static str {
        "maps 64 MiB of memory, touches every page, and gives it back at once"
    }

    fn unit(&self, _argument: &str) -> &'static str {
        "MiB mapped, touched and given back"
    }

    fn prepare(&self, _argument: &str, granted: u64) -> Result<Work, String> {
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
    }
}

fn map(bytes: usize) -> Result<Mapping, String> {
    Mapping::new(bytes).map_err(|error| format!("mmap: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_the_memory_says_so() {
        let lacking = Paging.prepare("", 1 << 20).err().unwrap();
        assert!(lacking.contains("fewer CPUs"), "{lacking}");
        let mut work = Paging.prepare("", u64::MAX).unwrap();
        for _ in 0..=PIECE_MIB / STEP_MIB {
            assert_eq!(work(), Ok(STEP_MIB as u64));
        }
    }
}
