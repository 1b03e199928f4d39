//! A message in memory, and a kernel event counter that announces it.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;

use super::slot::Slot;
use super::{Channel, Message};
use crate::posix::{self, Object};

/// A slot and an eventfd(2). The message is in memory, since the counter cannot hold 16 bytes; the
/// kernel's lock around the counter orders the accesses to both.
#[derive(Debug)]
pub struct Event {
    slot: Slot,
    sent: OwnedFd,
}

impl Event {
    /// Creates a channel without a message.
    ///
    /// # Errors
    /// Fails if no descriptors are left, or if the kernel that serves measured code has no event
    /// counters.
    pub fn new() -> io::Result<Self> {
        posix::offers(Object::Eventfd)?;
        Ok(Self { slot: Slot::default(), sent: eventfd(0, EventfdFlags::CLOEXEC)? })
    }
}

impl Channel for Event {
    #[inline]
    fn send(&self, message: &Message) {
        self.slot.put(message);
        let one = 1_u64.to_ne_bytes();
        while rustix::io::write(&self.sent, &one) == Err(Errno::INTR) {}
    }

    #[inline]
    fn receive(&self) -> Message {
        let mut sent = [0; 8];
        while rustix::io::read(&self.sent, &mut sent) == Err(Errno::INTR) {}
        self.slot.take()
    }
}
