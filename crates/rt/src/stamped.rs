//! A socket whose datagrams bear time stamps: as long as one is open, the kernel keeps the code
//! that stamps them switched on, and need not patch itself when another one is opened or closed.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use crate::driver::told;

/// The socket, which nothing is sent to; dropped, it is closed.
#[derive(Debug)]
pub struct StampedSocket(OwnedFd);

impl StampedSocket {
    /// Opens one that has no address: socket(7) `SO_TIMESTAMP`.
    ///
    /// # Errors
    /// Without the internet's protocols or descriptors.
    pub fn new() -> io::Result<Self> {
        let (family, kind) = (AddressFamily::INET, SocketType::DGRAM);
        let socket = socket_with(family, kind, SocketFlags::CLOEXEC, None)?;
        let on: libc::c_int = 1;
        // SAFETY: the descriptor is open, and the option is an int of the length that is given.
        told(unsafe {
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

    /// Whether its datagrams bear time stamps, read back.
    #[must_use]
    pub fn is_stamped(&self) -> bool {
        let mut on: libc::c_int = 0;
        let mut length = size_of_val(&on) as libc::socklen_t;
        // SAFETY: the descriptor is open, and `on` has the room that `length` says.
        let read = told(unsafe {
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
    fn its_datagrams_bear_time_stamps() {
        assert!(StampedSocket::new().unwrap().is_stamped());
    }
}
