//! GPIO lines through the character device, with the second version of its interface
//! (`linux/gpio.h`, Linux 5.10).

use std::fs::File;
use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;

use crate::driver::{self, refused};

const FLAG_INPUT: u64 = 1 << 2;
const FLAG_OUTPUT: u64 = 1 << 3;
const FLAG_EDGES: u64 = 1 << 4 | 1 << 5;

/// `struct gpio_v2_line_config`; its attributes are not used.
#[repr(C)]
struct LineConfig {
    flags: u64,
    num_attrs: u32,
    padding: [u32; 5],
    attrs: [[u64; 3]; 10],
}

/// `struct gpio_v2_line_request`.
#[repr(C)]
struct LineRequest {
    offsets: [u32; 64],
    consumer: [u8; 32],
    config: LineConfig,
    num_lines: u32,
    event_buffer_size: u32,
    padding: [u32; 5],
    fd: i32,
}

/// `struct gpio_v2_line_values`.
#[repr(C)]
struct LineValues {
    bits: u64,
    mask: u64,
}

/// Size of `struct gpio_v2_line_event`, which begins with its stamp.
const EVENT_SIZE: usize = 48;

const GET_LINE: u32 = read_write::<LineRequest>(0x07);
const SET_VALUES: u32 = read_write::<LineValues>(0x0F);

/// Computes `_IOWR(0xB4, number, T)`, as on every architecture except MIPS, PowerPC and SPARC.
const fn read_write<T>(number: u32) -> u32 {
    3 << 30 | (size_of::<T>() as u32) << 16 | 0xB4 << 8 | number
}

/// A line that this program drives; dropping the value releases the line.
#[derive(Debug)]
pub struct OutputLine(OwnedFd);

/// A line whose edges the kernel stamps; dropping the value releases the line.
#[derive(Debug)]
pub struct InputLine(File);

impl OutputLine {
    /// Takes line number `line` of the chip, and drives it low.
    ///
    /// # Errors
    /// Returns the kernel's error: the chip or the line does not exist, or the line is in use.
    pub fn take(chip: &Path, line: u32) -> io::Result<Self> {
        Ok(Self(take(chip, line, FLAG_OUTPUT)?))
    }

    /// Drives the line high or low.
    ///
    /// # Errors
    /// Returns the kernel's error.
    #[inline]
    pub fn set(&self, high: bool) -> io::Result<()> {
        let mut values = LineValues { bits: u64::from(high), mask: 1 };
        // SAFETY: the request reads one `gpio_v2_line_values`.
        unsafe { driver::ioctl(&self.0, SET_VALUES, &mut values) }
    }
}

impl InputLine {
    /// Takes line number `line` of the chip, and watches both its edges.
    ///
    /// # Errors
    /// Fails like [`OutputLine::take`], and if the line cannot raise an interrupt.
    pub fn take(chip: &Path, line: u32) -> io::Result<Self> {
        let flags = FLAG_INPUT | FLAG_EDGES;
        Ok(Self(take(chip, line, flags)?.into()))
    }

    /// Waits for an edge; returns the stamp of `CLOCK_MONOTONIC` that the kernel took in its
    /// interrupt handler.
    ///
    /// # Errors
    /// `Interrupted` by a signal, or the kernel's error.
    #[inline]
    pub fn wait(&self) -> io::Result<u64> {
        let mut event = [0; EVENT_SIZE];
        driver::read(&self.0, &mut event)?;
        let [a, b, c, d, e, f, g, h, ..] = event;
        Ok(u64::from_ne_bytes([a, b, c, d, e, f, g, h]))
    }
}

fn take(chip: &Path, line: u32, flags: u64) -> io::Result<OwnedFd> {
    let chip = driver::open(chip)?;
    // SAFETY: a `gpio_v2_line_request` is plain data, for which zeros are valid.
    let mut request: LineRequest = unsafe { zeroed() };
    request.config.flags = flags;
    request.num_lines = 1;
    request.offsets[0] = line;
    request.consumer[..9].copy_from_slice(b"steadfast");
    // SAFETY: the request reads and writes one `gpio_v2_line_request`, for which any bits are
    // valid.
    unsafe { driver::ioctl(&chip, GET_LINE, &mut request) }.map_err(in_words)?;
    // SAFETY: the kernel has just opened this descriptor for this caller only.
    Ok(unsafe { OwnedFd::from_raw_fd(request.fd) })
}

/// Explains the errors of a file that is not a chip, or has no such line.
fn in_words(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::ENOTTY) => refused("it is not a GPIO chip"),
        Some(libc::EINVAL) => refused("the chip has no such line"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_the_numbers_of_the_kernels_header() {
        assert_eq!(size_of::<LineRequest>(), 592);
        assert_eq!(GET_LINE, 0xC250_B407);
        assert_eq!(SET_VALUES, 0xC010_B40F);
    }

    #[test]
    fn a_file_that_is_not_a_chip_is_refused() {
        for path in ["/dev/null", "/no/such/chip"] {
            assert!(OutputLine::take(Path::new(path), 0).is_err(), "{path}");
            assert!(InputLine::take(Path::new(path), 0).is_err(), "{path}");
        }
    }
}
