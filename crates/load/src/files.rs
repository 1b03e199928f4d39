//! Load on files in memory: written, truncated, and written again. It needs no disk.

use std::io::{Seek, Write};

use crate::scratch::{self, BLOCK, Scratch};
use crate::{Argument, Load, enough_memory};

/// Truncating a file frees all of its pages at once. Before Linux 6.7 the kernel keeps those of a
/// CPU, up to the CPU's share of the zone's low mark (54 MiB on one CPU with 1 GiB), and frees the
/// rest in batches that double, each under one lock (`free_pcppages_bulk`; since then
/// `CONFIG_PCP_BATCH_SCALE_MAX` limits the batches). The file is larger than that share.
const CUT: Scratch = Scratch {
    start_over: |file| {
        file.set_len(0)?;
        file.rewind()
    },
    add: |file, block| file.write_all(block),
};

pub(crate) const LOAD: Load = Load {
    name: "files",
    summary: "writes an unnamed file of 64 MiB in memory, truncates it, and writes it again",
    unit: |_| "MiB written to a file",
    argument: Some(Argument {
        name: "DIRECTORY",
        default: Some("/dev/shm"),
        help: "directory, in memory (tmpfs) or elsewhere",
    }),
    check: scratch::check,
    prepare: |directory, granted| {
        enough_memory("files", scratch::SIZE, "", granted)?;
        CUT.work(directory, vec![1; BLOCK])
    },
    ..Load::PLAIN
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_truncated_before_it_grows_further() {
        let lengths = CUT.lengths(&[7; 16]);
        let largest = scratch::SIZE / BLOCK as u64;
        assert_eq!(lengths.iter().max(), Some(&largest));
        assert_eq!(lengths.last(), Some(&1));
    }
}
