//! Calls that a device's driver answers: ioctl(2), for the few requests that no
//! library wraps, and a single read(2).

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

/// Opens a device to read from it and write to it.
///
/// # Errors
/// The kernel's.
pub(crate) fn open(device: impl AsRef<Path>) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(device)
}

/// Makes a request whose argument points to a `T`.
///
/// # Errors
/// The kernel's.
///
/// # Safety
/// `request` reads or writes at most one `T` behind its argument, and any bits
/// that it writes there are a `T`.
pub(crate) unsafe fn ioctl<T>(file: impl AsFd, request: u32, argument: &mut T) -> io::Result<()> {
    let file = file.as_fd().as_raw_fd();
    // SAFETY: the descriptor is open, and the caller vouches for the argument.
    told(unsafe { libc::ioctl(file, request as _, std::ptr::from_mut(argument)) })
}

/// Makes a request whose argument is a number, or ignored.
///
/// # Errors
/// The kernel's.
///
/// # Safety
/// `request` takes its argument for no address.
pub(crate) unsafe fn ioctl_number(
    file: impl AsFd,
    request: u32,
    number: libc::c_int,
) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the caller vouches for the request.
    told(unsafe { libc::ioctl(file.as_fd().as_raw_fd(), request as _, number) })
}

/// Fills `bytes` in one read(2), which a signal may end.
///
/// # Errors
/// `Interrupted`, or the kernel's; a device that is gone is at its end.
#[inline]
pub(crate) fn read(mut file: &File, bytes: &mut [u8]) -> io::Result<()> {
    match file.read(bytes)? == bytes.len() {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The kernel's error where a call of the C library told of one.
pub(crate) fn told(result: libc::c_int) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// An error of this program's own, for what the kernel cannot tell.
pub(crate) fn refused(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why.into())
}
