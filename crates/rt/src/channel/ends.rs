//! Channels of the kernel with two ends, each a descriptor.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;

use rustix::io::Errno;

use super::{Channel, Message};
use crate::posix::{self, Object};

/// What is written to one end is read from the other, in one piece.
#[derive(Debug)]
pub struct Ends {
    writer: OwnedFd,
    reader: OwnedFd,
}

impl Ends {
    /// A FIFO without a name: pipe(2). One with a name (mkfifo(3)) passes bytes in
    /// the same way; its file's time stamps, which each write changes, would bring
    /// a file system into the figures.
    ///
    /// # Errors
    /// Without descriptors; where the kernel that measured code asks has none.
    pub fn pipe() -> io::Result<Self> {
        posix::offers(Object::Fifo)?;
        let (reader, writer) = io::pipe()?;
        Ok(Self::of(writer, reader))
    }

    /// A pair of Unix datagram sockets: socketpair(2).
    ///
    /// # Errors
    /// Without descriptors; where the kernel that measured code asks has none.
    pub fn socket() -> io::Result<Self> {
        posix::offers(Object::UnixSocket)?;
        let (writer, reader) = UnixDatagram::pair()?;
        Ok(Self::of(writer, reader))
    }

    fn of(writer: impl Into<OwnedFd>, reader: impl Into<OwnedFd>) -> Self {
        Self { writer: writer.into(), reader: reader.into() }
    }

    /// One write(2) of at most a page, which passes in one piece.
    #[inline]
    pub fn write(&self, bytes: &[u8]) {
        while rustix::io::write(&self.writer, bytes) == Err(Errno::INTR) {}
    }

    /// One read(2) of as many bytes as were written; waits for them.
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
