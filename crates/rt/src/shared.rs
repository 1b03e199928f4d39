//! A counter that two processes share.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::MemfdFlags;
use rustix::io::FdFlags;
use rustix::mm::ProtFlags;

use crate::mapping::Mapping;

const SIZE: usize = 4096;
const LINE: usize = 64;

/// A number in memory that a process shares with those that it starts.
#[derive(Debug)]
pub struct SharedCounter {
    file: OwnedFd,
    memory: Mapping,
}

// SAFETY: the mapping exists until the value is dropped, and is accessed only by atomic operations.
unsafe impl Send for SharedCounter {}
// SAFETY: as above.
unsafe impl Sync for SharedCounter {}

impl SharedCounter {
    /// Creates a counter at 0, whose descriptor is inherited by processes started from here.
    ///
    /// # Errors
    /// Fails without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        let file = rustix::fs::memfd_create("steadfast-counter", MemfdFlags::empty())?;
        rustix::fs::ftruncate(&file, SIZE as u64)?;
        Self::map(file)
    }

    /// Returns the descriptor's number, with which the other process opens the counter.
    #[must_use]
    pub fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Opens the counter that this process inherited.
    ///
    /// # Errors
    /// Fails if the descriptor is not such a counter.
    pub fn inherited(descriptor: RawFd) -> io::Result<Self> {
        if descriptor <= 2 {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        // SAFETY: the number was given only to this process; the next call checks that it is open,
        // and does not use it otherwise.
        let file = unsafe { OwnedFd::from_raw_fd(descriptor) };
        let Ok(kind) = rustix::fs::fstat(&file) else {
            std::mem::forget(file);
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        };
        if kind.st_size as usize != SIZE {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        rustix::io::fcntl_setfd(&file, FdFlags::CLOEXEC)?;
        Self::map(file)
    }

    fn map(file: OwnedFd) -> io::Result<Self> {
        let memory = Mapping::of_file(&file, SIZE, ProtFlags::READ | ProtFlags::WRITE)?;
        Ok(Self { file, memory })
    }

    /// The number of words that fit, each in its own cache line.
    pub(crate) const WORDS: usize = SIZE / LINE;

    /// Returns the word in one of the cache lines, modulo their number; the first is the counter.
    pub(crate) fn word(&self, place: usize) -> &AtomicU64 {
        let line = (place % Self::WORDS) * LINE;
        // SAFETY: a file of this size, zeroed by the kernel, has valid AtomicU64s at its
        // page-aligned start and at each of its lines, and is mapped as long as `self` lives.
        unsafe { self.memory.start().byte_add(line).cast().as_ref() }
    }

    /// Adds to the counter, and counts the addition.
    #[inline]
    pub fn add(&self, amount: u64) {
        self.word(0).fetch_add(amount, Ordering::Relaxed);
        self.word(1).fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how often something was added.
    #[must_use]
    pub fn additions(&self) -> u64 {
        self.word(1).load(Ordering::Relaxed)
    }

    /// Returns the counter's value.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.word(0).load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_are_one_counter() {
        let ours = SharedCounter::new().unwrap();
        let descriptor = rustix::io::dup(&ours.file).unwrap();
        let theirs = SharedCounter::map(descriptor).unwrap();
        theirs.add(3);
        ours.add(4);
        assert_eq!((ours.get(), theirs.get()), (7, 7));
        assert_eq!(ours.additions(), 2);
    }

    #[test]
    fn a_descriptor_that_is_not_a_counter_is_refused() {
        assert!(SharedCounter::inherited(987).is_err());
        assert!(SharedCounter::inherited(1).is_err());
    }
}
