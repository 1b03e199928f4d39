//! Programs and files that are in memory: memfd_create(2), statfs(2).

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create, statfs};
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

/// Whether the files of a directory are in memory and never on a disk.
#[must_use]
pub fn is_in_memory(directory: &str) -> bool {
    // linux/magic.h: RAMFS_MAGIC, TMPFS_MAGIC.
    const IN_MEMORY: [u32; 2] = [0x8584_58f6, 0x0102_1994];
    statfs(directory).is_ok_and(|found| IN_MEMORY.contains(&(found.f_type as u32)))
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
