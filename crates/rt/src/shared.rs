//! A counter that two processes share.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
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

// SAFETY: the mapping stays until the value is dropped, and only atomic
// operations touch it.
unsafe impl Send for SharedCounter {}
// SAFETY: as above.
unsafe impl Sync for SharedCounter {}

impl SharedCounter {
    /// A new counter at 0, whose descriptor processes started from here inherit.
    ///
    /// # Errors
    /// Without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        let file = rustix::fs::memfd_create("steadfast-counter", MemfdFlags::empty())?;
        rustix::fs::ftruncate(&file, SIZE as u64)?;
        Self::map(file)
    }

    /// The descriptor's number, by which the other process opens the counter.
    #[must_use]
    pub fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Opens the counter that this process inherited.
    ///
    /// # Errors
    /// When the descriptor is no such counter.
    pub fn inherited(descriptor: RawFd) -> io::Result<Self> {
        if descriptor <= 2 {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        // SAFETY: the number was given to this process alone; that it is open is
        // checked by the next call, which does not touch it otherwise.
        let file = unsafe { OwnedFd::from_raw_fd(descriptor) };
        if rustix::fs::fstat(file.as_fd()).is_err() {
            std::mem::forget(file);
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        let length = File::from(file.try_clone()?).metadata()?.len();
        if length != SIZE as u64 {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        rustix::io::fcntl_setfd(&file, FdFlags::CLOEXEC)?;
        Self::map(file)
    }

    fn map(file: OwnedFd) -> io::Result<Self> {
        let memory = Mapping::of_file(&file, SIZE, ProtFlags::READ | ProtFlags::WRITE)?;
        Ok(Self { file, memory })
    }

    /// Words of a cache line each that there is room for.
    pub(crate) const WORDS: usize = SIZE / LINE;

    /// The word in one of the cache lines, counted round and round; the first is the counter.
    pub(crate) fn word(&self, place: usize) -> &AtomicU64 {
        let line = (place % Self::WORDS) * LINE;
        // SAFETY: a file of this size, zeroed by the kernel, is valid AtomicU64s at its
        // page-aligned start and at each line of it, and mapped as long as this lives.
        unsafe { self.memory.start().byte_add(line).cast().as_ref() }
    }

    /// Adds to the counter.
    #[inline]
    pub fn add(&self, amount: u64) {
        self.word(0).fetch_add(amount, Ordering::Relaxed);
    }

    /// The counter's value.
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
    }

    #[test]
    fn what_is_no_counter_is_refused() {
        assert!(SharedCounter::inherited(987).is_err());
        assert!(SharedCounter::inherited(1).is_err());
    }
}
