//! A message in memory, and a futex that announces it.

use std::io;

use super::slot::Slot;
use super::{Channel, Message};
use crate::posix::{self, Object};
use crate::sync::atomic::{AtomicU32, Ordering};
use crate::sync::{Padded, futex};

/// A slot, and the numbers of messages put into it and taken out: futex(2), private to the process.
/// Every send makes the wake call, as a sender that does not know whether the receiver sleeps must
/// do.
#[derive(Debug, Default)]
pub struct Futex {
    slot: Slot,
    sent: AtomicU32,
    taken: Padded<AtomicU32>,
}

impl Futex {
    /// Creates a channel without a message.
    ///
    /// # Errors
    /// Fails if the kernel that serves measured code has no futexes.
    pub fn new() -> io::Result<Self> {
        posix::offers(Object::Futex)?;
        Ok(Self::default())
    }
}

impl Channel for Futex {
    #[inline]
    fn send(&self, message: &Message) {
        self.slot.put(message);
        self.sent.fetch_add(1, Ordering::Release);
        futex::wake(&self.sent, 1);
    }

    #[inline]
    fn receive(&self) -> Message {
        let taken = self.taken.load(Ordering::Relaxed);
        while self.sent.load(Ordering::Acquire) == taken {
            futex::wait(&self.sent, taken);
        }
        self.taken.store(taken.wrapping_add(1), Ordering::Relaxed);
        self.slot.take()
    }
}
