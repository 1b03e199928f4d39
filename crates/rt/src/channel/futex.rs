//! A message in memory, and a futex that tells of it.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;

use super::slot::Slot;
use super::{Channel, Message};
use crate::posix::{self, Object};
use crate::sync::Padded;

/// A slot, and counts of the messages put into it and taken out: futex(2), private
/// to the process. Every send makes the wake call, as a sender must that does not
/// know whether the receiver sleeps.
#[derive(Debug, Default)]
pub struct Futex {
    slot: Slot,
    sent: AtomicU32,
    taken: Padded<AtomicU32>,
}

impl Futex {
    /// A channel without a message.
    ///
    /// # Errors
    /// Where the kernel that measured code asks has none.
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
        // Fails for a bad address only.
        let _ = futex::wake(&self.sent, futex::Flags::PRIVATE, 1);
    }

    #[inline]
    fn receive(&self) -> Message {
        let taken = self.taken.load(Ordering::Relaxed);
        while self.sent.load(Ordering::Acquire) == taken {
            // Returns at once when a message has come meanwhile; a signal or a
            // wake-up without a cause is one more look.
            let _ = futex::wait(&self.sent, futex::Flags::PRIVATE, taken, None);
        }
        self.taken.store(taken.wrapping_add(1), Ordering::Relaxed);
        self.slot.take()
    }
}
