//! A message in memory, and an event counter of the kernel that tells of it.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;

use super::slot::Slot;
use super::{Channel, Message};
use crate::posix::{self, Object};

/// A slot and an eventfd(2). The message lies in memory, since the counter holds no
/// 16 bytes; the kernel's lock around the counter orders the two.
#[derive(Debug)]
pub struct Event {
    slot: Slot,
    sent: OwnedFd,
}

impl Event {
    /// A channel without a message.
    ///
    /// # Errors
    /// Without descriptors; where the kernel that measured code asks has none.
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
