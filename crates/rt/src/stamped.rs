//! A socket whose datagrams have time stamps: as long as one is open, the kernel keeps its time
//! stamp code enabled, and need not patch itself when another such socket is opened or closed.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use crate::driver::checked;

/// The socket, to which nothing is sent; dropping the value closes it.
#[derive(Debug)]
pub struct StampedSocket(OwnedFd);

impl StampedSocket {
    /// Opens a socket without an address: socket(7) `SO_TIMESTAMP`.
    ///
    /// # Errors
    /// Fails without the internet protocols or descriptors.
    pub fn new() -> io::Result<Self> {
        let (family, kind) = (AddressFamily::INET, SocketType::DGRAM);
        let socket = socket_with(family, kind, SocketFlags::CLOEXEC, None)?;
        let on: libc::c_int = 1;
        // SAFETY: the descriptor is open, and the option is an int of the given length.
        checked(unsafe {
            libc::setsockopt(
                socket.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_TIMESTAMP,
                (&raw const on).cast(),
                size_of_val(&on) as libc::socklen_t,
            )
        })?;
        Ok(Self(socket))
    }

    /// Reads back whether its datagrams have time stamps.
    #[must_use]
    pub fn is_stamped(&self) -> bool {
        let mut on: libc::c_int = 0;
        let mut length = size_of_val(&on) as libc::socklen_t;
        // SAFETY: the descriptor is open, and `on` is as large as `length` says.
        let read = checked(unsafe {
            libc::getsockopt(
                self.0.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_TIMESTAMP,
                (&raw mut on).cast(),
                &raw mut length,
            )
        });
        read.is_ok() && on != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_datagrams_have_time_stamps() {
        assert!(StampedSocket::new().unwrap().is_stamped());
    }
}
