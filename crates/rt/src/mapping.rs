//! Memory that the kernel maps: mmap(2), munmap(2).

use std::io;
use std::ops::Range;
use std::os::fd::AsFd;
use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags};

/// New memory of this process's own, or a file's; dropped, it is given back.
#[derive(Debug)]
pub struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

impl Mapping {
    /// Maps so many bytes, none of which is there until it is touched.
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

    /// Maps so many bytes from the start of a file, shared with all who map it.
    ///
    /// # Errors
    /// The kernel's, or the driver's.
    pub(crate) fn of_file(file: impl AsFd, bytes: usize, allowed: ProtFlags) -> io::Result<Self> {
        let place = std::ptr::null_mut();
        // SAFETY: a new mapping at an address that the kernel chooses.
        let start = unsafe { rustix::mm::mmap(place, bytes, allowed, MapFlags::SHARED, file, 0)? };
        Self::at(start.cast(), bytes)
    }

    fn at(start: *mut u8, bytes: usize) -> io::Result<Self> {
        let start = NonNull::new(start).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, bytes })
    }

    /// Its first byte, at the start of a page, valid as long as this lives.
    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// How many bytes it has.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Touches every page of a part, from one byte to before another; nothing of what
    /// lies beyond its end.
    pub fn touch(&mut self, part: Range<usize>) {
        const PAGE: usize = 4096;
        for offset in (part.start..part.end.min(self.bytes)).step_by(PAGE) {
            // SAFETY: the byte is inside the mapping, which nothing else knows of.
            unsafe { self.start.add(offset).write_volatile(1) };
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, whole, and used by nobody after this.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_mapped_touched_and_given_back() {
        for bytes in [1, 4096, 1 << 20] {
            let mut mapping = Mapping::new(bytes).unwrap();
            mapping.touch(0..bytes);
            mapping.touch(bytes..2 * bytes);
        }
        assert!(Mapping::new(0).is_err());
    }
}
