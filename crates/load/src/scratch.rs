//! A file without a name that is written from start to end repeatedly.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::Work;

/// Bytes per write.
pub(crate) const BLOCK: usize = 1 << 20;
/// Blocks after which writing starts over.
const BLOCKS: u64 = 64;
/// Size that the file reaches, in bytes.
pub(crate) const SIZE: u64 = BLOCKS * BLOCK as u64;

pub(crate) struct Scratch {
    pub(crate) start_over: fn(&mut File) -> io::Result<()>,
    pub(crate) add: fn(&mut File, &[u8]) -> io::Result<()>,
}

impl Scratch {
    /// Returns work on such a file in a directory: one block per unit.
    pub(crate) fn work(self, directory: &str, block: Vec<u8>) -> Result<Work, String> {
        let place = directory.to_owned();
        let failed = move |error: io::Error| match error.kind() {
            ErrorKind::StorageFull => format!(
                "{place} is full; each process writes {} MiB: name another directory after `:`, \
                 or fewer CPUs after `@`",
                SIZE >> 20
            ),
            _ => format!("{place}: {error}"),
        };
        // The file has no name, so the kernel removes it with the process.
        let mut file = tempfile::tempfile_in(directory).map_err(&failed)?;
        let mut written = 0;
        Ok(Box::new(move || {
            self.write(&mut file, &block, written).map_err(&failed)?;
            written += 1;
            Ok(1)
        }))
    }

    fn write(&self, file: &mut File, block: &[u8], written: u64) -> io::Result<()> {
        if written.is_multiple_of(BLOCKS) {
            (self.start_over)(file)?;
        }
        (self.add)(file, block)
    }

    /// Returns the lengths of a file while small blocks are written to it, twice through its end.
    #[cfg(test)]
    pub(crate) fn lengths(&self, block: &[u8]) -> Vec<u64> {
        let mut file = tempfile::tempfile().unwrap();
        let mut length_after = |written| {
            self.write(&mut file, block, written).unwrap();
            file.metadata().unwrap().len() / block.len() as u64
        };
        (0..2 * BLOCKS + 1).map(&mut length_after).collect()
    }
}

pub(crate) fn check(directory: &str) -> Result<(), String> {
    match Path::new(directory).is_dir() {
        true => Ok(()),
        false => Err(format!("{directory} is not a directory")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_not_a_directory_is_refused() {
        let lacking = check("/no/such/place").unwrap_err();
        assert_eq!(lacking, "/no/such/place is not a directory");
        assert!(check("/proc/self/exe").is_err());
        assert!(check("/proc").is_ok());
    }

    #[test]
    fn a_write_error_names_the_place() {
        let scratch = |add| Scratch { start_over: |_| Ok(()), add };
        let unwritable = scratch(|_, _| Ok(())).work("/proc", vec![1]).err().unwrap();
        assert!(unwritable.starts_with("/proc: "), "{unwritable}");
        let full = scratch(|_, _| Err(ErrorKind::StorageFull.into()));
        let directory = std::env::temp_dir();
        let mut work = full.work(directory.to_str().unwrap(), vec![1]).unwrap();
        let error = work().unwrap_err();
        assert!(error.contains("64 MiB") && error.contains("`:`"), "{error}");
    }
}
