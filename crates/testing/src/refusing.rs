//! A kernel that refuses what some file systems lack, or a right, by a filter of system calls.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// What is refused.
#[derive(Debug, Clone, Copy)]
pub enum Refused {
    /// Locks: the kernel answers `ENOLCK`.
    Locks,
    /// Memory that processes share through a file: `ENODEV`.
    SharedMemory,
    /// Policies of the scheduler and locks of memory: `EPERM`.
    Rights,
}

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/filters/refusing.c");

/// Returns a program under such a filter; the program that sets it is compiled in this folder.
#[must_use]
pub fn refusing(folder: &Path, refused: Refused, program: impl AsRef<OsStr>) -> Command {
    let filter = folder.join("refusing");
    if !filter.exists() {
        let compiled = Command::new("cc").arg("-o").arg(&filter).arg(SOURCE).status();
        assert!(compiled.is_ok_and(|ended| ended.success()), "cc is installed");
    }
    let mut command = Command::new(filter);
    let word = match refused {
        Refused::Rights => "rights",
        Refused::Locks => "locks",
        Refused::SharedMemory => "shared-memory",
    };
    command.arg(word).arg(program);
    command
}
