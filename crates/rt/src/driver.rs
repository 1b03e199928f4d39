//! Calls to a device's driver: ioctl(2), for the few requests that no library wraps, and a single
//! read(2).

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

/// Opens a device for reading and writing.
///
/// # Errors
/// Returns the kernel's error.
pub(crate) fn open(device: impl AsRef<Path>) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(device)
}

/// Makes a request whose argument points to a `T`.
///
/// # Errors
/// Returns the kernel's error.
///
/// # Safety
/// `request` must read or write at most one `T` behind its argument, and any bits that it writes
/// there must be a valid `T`.
pub(crate) unsafe fn ioctl<T>(file: impl AsFd, request: u32, argument: &mut T) -> io::Result<()> {
    let file = file.as_fd().as_raw_fd();
    // SAFETY: the descriptor is open, and the caller vouches for the argument.
    checked(unsafe { libc::ioctl(file, request as _, std::ptr::from_mut(argument)) })
}

/// Makes a request whose argument is a number, or is ignored.
///
/// # Errors
/// Returns the kernel's error.
///
/// # Safety
/// `request` must not use its argument as an address.
pub(crate) unsafe fn ioctl_number(
    file: impl AsFd,
    request: u32,
    number: libc::c_int,
) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the caller vouches for the request.
    checked(unsafe { libc::ioctl(file.as_fd().as_raw_fd(), request as _, number) })
}

/// Fills `bytes` by one read(2), which a signal may interrupt.
///
/// # Errors
/// `Interrupted`, or the kernel's error; `UnexpectedEof` if the device is gone.
#[inline]
pub(crate) fn read(mut file: &File, bytes: &mut [u8]) -> io::Result<()> {
    if file.read(bytes)? == bytes.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Returns the kernel's error if a call of the C library reported one.
pub(crate) fn checked(result: libc::c_int) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Creates this program's own error, for what the kernel cannot report.
pub(crate) fn refused(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why.into())
}
