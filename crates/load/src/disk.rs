//! Disk load: writes to a file, each one brought to the disk (FRA 4.1, `dd`).

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;

use rustix::fs::statfs;

use crate::{Argument, Load, Processes, Work};

pub(crate) struct Disk;

/// What is written and brought to the disk at once, in bytes.
const BLOCK: usize = 1 << 20;
/// Blocks after which the file is written over from its start.
const BLOCKS: u64 = 64;

impl Load for Disk {
    fn name(&self) -> &'static str {
        "disk"
    }

    fn summary(&self) -> &'static str {
        "writes a nameless file of 64 MiB over and over and brings each MiB to the disk, like dd; \
         one process"
    }

    fn unit(&self, _argument: &str) -> &'static str {
        "MiB written to the disk"
    }

    fn processes(&self) -> Processes {
        Processes::One
    }

    fn argument(&self) -> Option<Argument> {
        Some(Argument {
            name: "DIRECTORY",
            default: Some("/var/tmp"),
            help: "a directory on the disk",
        })
    }

    fn needs(&self) -> Option<&'static str> {
        Some("64 MiB free in a directory that it may write, on a disk")
    }

    fn check(&self, directory: &str) -> Result<(), String> {
        if !Path::new(directory).is_dir() {
            return Err(format!("there is no directory {directory}"));
        }
        if lies_in_memory(directory) {
            return Err(format!(
                "{directory} lies in memory (tmpfs); name a directory on a disk: disk:DIRECTORY"
            ));
        }
        Ok(())
    }

    fn prepare(&self, directory: &str, _granted: u64) -> Result<Work, String> {
        let place = directory.to_owned();
        let failed = move |error| format!("{place}: {error}");
        // It has no name, so the kernel removes it with the process.
        let mut file = tempfile::tempfile_in(directory).map_err(&failed)?;
        let block = noise();
        let mut written = 0;
        Ok(Box::new(move || {
            write(&mut file, &block, written).map_err(&failed)?;
            written += 1;
            Ok(1)
        }))
    }
}

fn write(file: &mut File, block: &[u8], written: u64) -> std::io::Result<()> {
    if written.is_multiple_of(BLOCKS) {
        file.rewind()?;
    }
    file.write_all(block)?;
    file.sync_data()
}

/// A block that no file system can make smaller.
fn noise() -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        // Knuth, The Art of Computer Programming, volume 2: MMIX.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(BLOCK).collect()
}

/// Whether a file there is kept in memory and never on a disk: statfs(2).
fn lies_in_memory(directory: &str) -> bool {
    const TMPFS: u32 = 0x0102_1994;
    const RAMFS: u32 = 0x8584_58F6;
    statfs(directory).is_ok_and(|found| [TMPFS, RAMFS].contains(&(found.f_type as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_disk_is_refused() {
        let no_directory = Disk.check("/no/such/place").unwrap_err();
        assert_eq!(no_directory, "there is no directory /no/such/place");
        assert!(Disk.check("/proc/self/exe").is_err());
        if lies_in_memory("/dev/shm") {
            let in_memory = Disk.check("/dev/shm").unwrap_err();
            assert!(in_memory.contains("tmpfs"), "{in_memory}");
        }
        let unwritable = Disk.prepare("/proc", 0).err().unwrap();
        assert!(unwritable.starts_with("/proc: "), "{unwritable}");
    }

    #[test]
    fn the_file_stays_as_large_as_it_is_said_to_be() {
        let mut file = tempfile::tempfile().unwrap();
        let block = [7; 16];
        for written in 0..3 * BLOCKS {
            write(&mut file, &block, written).unwrap();
        }
        assert_eq!(file.metadata().unwrap().len(), BLOCKS * 16);
    }
}
