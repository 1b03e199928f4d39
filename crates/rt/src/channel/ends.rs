//! Kernel channels with two ends, each a descriptor.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;

use rustix::io::Errno;

use super::{Channel, Message};
use crate::posix::{self, Object};

/// A channel with a writing end and a reading end; each message arrives in one piece.
#[derive(Debug)]
pub struct Ends {
    writer: OwnedFd,
    reader: OwnedFd,
}

impl Ends {
    /// Creates a FIFO without a name: pipe(2). A FIFO with a name (mkfifo(3)) passes bytes in the
    /// same way, but each write changes its file's time stamps, which would bring a file system
    /// into the results.
    ///
    /// # Errors
    /// Fails if no descriptors are left, or if the kernel that serves measured code has no FIFOs.
    pub fn pipe() -> io::Result<Self> {
        posix::offers(Object::Fifo)?;
        let (reader, writer) = io::pipe()?;
        Ok(Self { writer: writer.into(), reader: reader.into() })
    }

    /// Creates a pair of Unix datagram sockets: socketpair(2).
    ///
    /// # Errors
    /// Fails if no descriptors are left, or if the kernel that serves measured code has no such
    /// sockets.
    pub fn socket() -> io::Result<Self> {
        posix::offers(Object::UnixSocket)?;
        let (writer, reader) = UnixDatagram::pair()?;
        Ok(Self { writer: writer.into(), reader: reader.into() })
    }

    /// Does one write(2) of at most a page, which passes in one piece.
    #[inline]
    pub fn write(&self, bytes: &[u8]) {
        while rustix::io::write(&self.writer, bytes) == Err(Errno::INTR) {}
    }

    /// Does one read(2) of as many bytes as were written, and waits for them.
    #[inline]
    #[must_use]
    pub fn read<const BYTES: usize>(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        while rustix::io::read(&self.reader, &mut bytes) == Err(Errno::INTR) {}
        bytes
    }
}

impl Channel for Ends {
    #[inline]
    fn send(&self, message: &Message) {
        self.write(message);
    }

    #[inline]
    fn receive(&self) -> Message {
        self.read()
    }
}
