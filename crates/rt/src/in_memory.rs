//! A program that has no file: memfd_create(2).

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;

/// A program in memory, which is gone with this value and the processes that run it.
#[derive(Debug)]
pub struct InMemory(File);

impl InMemory {
    /// Puts a program there.
    ///
    /// # Errors
    /// Without memory or descriptors; `EACCES` where the kernel lets no such program run
    /// (`vm.memfd_noexec`).
    pub fn new(program: &[u8]) -> io::Result<Self> {
        let make = |flags| memfd_create("steadfast-host", MemfdFlags::CLOEXEC | flags);
        let made = match make(MemfdFlags::EXEC) {
            // Before Linux 6.3 there is no such flag, and each can be executed.
            Err(Errno::INVAL) => make(MemfdFlags::empty()),
            made => made,
        };
        let mut file = File::from(made?);
        file.write_all(program)?;
        Ok(Self(file))
    }

    /// Where this process, and one that it has just forked, find it.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_program_in_memory_is_run() {
        let program = InMemory::new(&std::fs::read("/bin/echo").unwrap()).unwrap();
        let done = Command::new(program.path()).arg("here").output().unwrap();
        assert_eq!(done.stdout, b"here\n");
    }
}
