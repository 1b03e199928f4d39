//! A program that is not in a file: memfd_create(2).

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;

/// A program in memory, which exists as long as this value and the processes that run it.
#[derive(Debug)]
pub struct InMemory(File);

impl InMemory {
    /// Copies a program into memory.
    ///
    /// # Errors
    /// Fails without memory or descriptors; `EACCES` if the kernel does not let such programs run
    /// (`vm.memfd_noexec`).
    pub fn new(program: &[u8]) -> io::Result<Self> {
        let make = |flags| memfd_create("steadfast-host", MemfdFlags::CLOEXEC | flags);
        let made = match make(MemfdFlags::EXEC) {
            // Linux before 6.3 does not have this flag, and lets every such file be executed.
            Err(Errno::INVAL) => make(MemfdFlags::empty()),
            made => made,
        };
        let mut file = File::from(made?);
        file.write_all(program)?;
        Ok(Self(file))
    }

    /// The path under which this process, and a process that it has just forked, find the program.
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
