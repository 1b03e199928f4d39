//! Disk load: writes to a file and flushes each write to the disk (FRA 4.1, `dd`).

use std::io::{Seek, Write};

use rt::in_memory::is_in_memory;

use crate::scratch::{self, BLOCK, Scratch};
use crate::{Argument, Load, Processes};

const WRITTEN_OVER: Scratch = Scratch {
    start_over: |file| file.rewind(),
    add: |file, block| {
        file.write_all(block)?;
        file.sync_data()
    },
};

pub(crate) const LOAD: Load = Load {
    name: "disk",
    summary: "writes 64 MiB over and over and syncs each MiB to disk; an unnamed file, like dd; one process",
    unit: |_| "MiB written to the disk",
    processes: Processes::One,
    argument: Some(Argument {
        name: "DIRECTORY",
        default: Some("/var/tmp"),
        help: "directory on a disk",
    }),
    needs: Some("64 MiB free in a writable directory on a disk"),
    check: |directory| {
        scratch::check(directory)?;
        if is_in_memory(directory) {
            return Err(format!(
                "{directory} is in memory (tmpfs); name a directory on a disk: disk:DIRECTORY"
            ));
        }
        Ok(())
    },
    prepare: |directory, _| WRITTEN_OVER.work(directory, noise()),
    ..Load::PLAIN
};

/// Returns a block that no file system can compress.
fn noise() -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        // Knuth, The Art of Computer Programming, volume 2: MMIX.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(BLOCK).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn a_directory_that_is_not_on_a_disk_is_refused() {
        assert!((LOAD.check)("/no/such/place").is_err());
        if is_in_memory("/dev/shm") {
            refuses((LOAD.check)("/dev/shm"), "tmpfs");
        }
    }

    #[test]
    fn the_file_keeps_the_documented_size() {
        let lengths = WRITTEN_OVER.lengths(&[7; 16]);
        let size = scratch::SIZE / BLOCK as u64;
        assert_eq!(lengths.iter().max(), Some(&size));
        assert_eq!(lengths.last(), Some(&size));
    }
}
