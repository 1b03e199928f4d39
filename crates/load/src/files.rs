//! Load on files in memory: written, cut to nothing, written again. No disk is needed.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;

use crate::{Argument, Load, Work, enough_memory};

pub(crate) struct Files;

/// What is written at once, in bytes.
const BLOCK: usize = 1 << 20;
/// Blocks after which the file is cut to nothing.
const BLOCKS: u64 = 32;

impl Load for Files {
    fn name(&self) -> &'static str {
        "files"
    }

    fn summary(&self) -> &'static str {
        "writes a nameless file of 32 MiB in memory, cuts it to nothing, and writes it again"
    }

    fn unit(&self, _argument: &str) -> &'static str {
        "MiB written to a file"
    }

    fn argument(&self) -> Option<Argument> {
        Some(Argument {
            name: "DIRECTORY",
            default: Some("/dev/shm"),
            help: "a directory in memory (tmpfs), or any other",
        })
    }

    fn check(&self, directory: &str) -> Result<(), String> {
        match Path::new(directory).is_dir() {
            true => Ok(()),
            false => Err(format!("there is no directory {directory}")),
        }
    }

    fn prepare(&self, directory: &str, granted: u64) -> Result<Work, String> {
        enough_memory("files", BLOCKS * BLOCK as u64, "", granted)?;
        let place = directory.to_owned();
        let failed = move |error| format!("{place}: {error}");
        // It has no name, so the kernel removes it with the process.
        let mut file = tempfile::tempfile_in(directory).map_err(&failed)?;
        let block = vec![1; BLOCK];
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
        file.set_len(0)?;
        file.rewind()?;
    }
    file.write_all(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_directory_is_refused() {
        let lacking = Files.check("/no/such/place").unwrap_err();
        assert_eq!(lacking, "there is no directory /no/such/place");
        assert!(Files.check("/proc/self/exe").is_err());
    }

    #[test]
    fn the_file_is_cut_before_it_grows_further() {
        let mut file = tempfile::tempfile().unwrap();
        for written in 0..2 * BLOCKS + 1 {
            write(&mut file, &[7; 16], written).unwrap();
        }
        assert_eq!(file.metadata().unwrap().len(), 16);
    }
}
