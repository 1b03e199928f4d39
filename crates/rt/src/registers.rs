//! Registers of a device, mapped from its file.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;

use rustix::mm::ProtFlags;

use crate::mapping::Mapping;

/// A block of registers of 32 bits.
#[derive(Debug)]
pub(crate) struct Registers(Mapping);

/// The position of a register inside a device's block of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register(usize);

// SAFETY: the mapping exists until the value is dropped, and each register is read and written as
// one word.
unsafe impl Send for Registers {}
// SAFETY: as above.
unsafe impl Sync for Registers {}

impl Registers {
    /// Maps `length` bytes at the start of the file.
    ///
    /// # Errors
    /// Returns the driver's error.
    pub(crate) fn map(file: &File, length: NonZeroUsize, allowed: ProtFlags) -> io::Result<Self> {
        Ok(Self(Mapping::of_file(file, length.get(), allowed)?))
    }

    pub(crate) fn length(&self) -> usize {
        self.0.bytes()
    }

    /// Returns the register at an offset in bytes; `None` unless a whole register starts there.
    pub(crate) fn at(&self, offset: u64) -> Option<Register> {
        let place = usize::try_from(offset).ok()?;
        let is_whole =
            place.is_multiple_of(4) && place < self.length() && self.length() - place >= 4;
        is_whole.then_some(Register(place))
    }

    /// Reads a register, which must be one of this block that may be read.
    ///
    /// # Panics
    /// Panics for a register of another, larger block.
    #[inline]
    pub(crate) fn read(&self, register: Register) -> u32 {
        // SAFETY: the address is that of a whole register inside the mapping.
        u32::from_le(unsafe { self.address(register).read_volatile() })
    }

    /// Writes a register, which must be one of this block that may be written.
    ///
    /// # Panics
    /// Panics for a register of another, larger block.
    #[inline]
    pub(crate) fn write(&self, register: Register, value: u32) {
        // SAFETY: as above.
        unsafe { self.address(register).write_volatile(value.to_le()) }
    }

    #[inline]
    fn address(&self, Register(place): Register) -> *mut u32 {
        assert!(place < self.length());
        // SAFETY: a register's position is a multiple of 4, and this one is inside the mapping,
        // whose length is whole pages.
        unsafe { self.0.start().add(place) }.cast().as_ptr()
    }
}
