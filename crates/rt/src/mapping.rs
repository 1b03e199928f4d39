//! Memory that the kernel maps: mmap(2), munmap(2).

use std::io;
use std::ops::Range;
use std::os::fd::AsFd;
use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags};

/// New private memory of this process, or a file's; dropping the value unmaps it.
#[derive(Debug)]
pub struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

impl Mapping {
    /// Maps `bytes` bytes, which get memory only when they are touched.
    ///
    /// # Errors
    /// `ENOMEM` without room for them, `EINVAL` for 0 bytes.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let allowed = ProtFlags::READ | ProtFlags::WRITE;
        let place = std::ptr::null_mut();
        // SAFETY: the mapping is new and private, and the kernel chooses its place.
        let start =
            unsafe { rustix::mm::mmap_anonymous(place, bytes, allowed, MapFlags::PRIVATE)? };
        Self::at(start.cast(), bytes)
    }

    /// Maps `bytes` bytes from the start of a file, shared with all processes that map it.
    ///
    /// # Errors
    /// Returns the kernel's error, or the driver's.
    pub(crate) fn of_file(file: impl AsFd, bytes: usize, allowed: ProtFlags) -> io::Result<Self> {
        Self::of_part(file, 0, bytes, allowed)
    }

    /// Maps `bytes` bytes of a file from `offset` on, a multiple of the size of a page, shared with
    /// all processes that map them.
    ///
    /// # Errors
    /// Returns the kernel's error, or the driver's.
    pub(crate) fn of_part(
        file: impl AsFd,
        offset: u64,
        bytes: usize,
        allowed: ProtFlags,
    ) -> io::Result<Self> {
        let (place, shared) = (std::ptr::null_mut(), MapFlags::SHARED);
        // SAFETY: this is a new mapping at an address that the kernel chooses.
        let start = unsafe { rustix::mm::mmap(place, bytes, allowed, shared, file, offset)? };
        Self::at(start.cast(), bytes)
    }

    fn at(start: *mut u8, bytes: usize) -> io::Result<Self> {
        let start = NonNull::new(start).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, bytes })
    }

    /// Returns its first byte, at the start of a page, valid as long as `self` exists.
    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Returns its size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Touches every page of a part of the mapping, given as a range of bytes; the part beyond the
    /// mapping's end is ignored.
    pub fn touch(&mut self, part: Range<usize>) {
        const PAGE: usize = 4096;
        for offset in (part.start..part.end.min(self.bytes)).step_by(PAGE) {
            // SAFETY: the byte is inside the mapping, which no other code uses.
            unsafe { self.start.add(offset).write_volatile(1) };
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this value owns the whole mapping, and no code uses it afterwards.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_mapped_touched_and_unmapped() {
        for bytes in [1, 4096, 1 << 20] {
            let mut mapping = Mapping::new(bytes).unwrap();
            mapping.touch(0..bytes);
            mapping.touch(bytes..2 * bytes);
        }
        assert!(Mapping::new(0).is_err());
    }
}
