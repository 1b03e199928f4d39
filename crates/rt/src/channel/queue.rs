//! A mailbox of the kernel that serves measured code.

use std::io;

use super::{Channel, Message};
use crate::posix::Mailbox;

/// A mailbox for one message: a POSIX message queue, or its counterpart in a real-time core.
#[derive(Debug)]
pub struct Queue(Mailbox);

impl Queue {
    /// Creates a mailbox that other processes cannot find.
    ///
    /// # Errors
    /// Fails if the kernel has no mailboxes or no room for another one; the error says what it
    /// needs.
    pub fn new() -> io::Result<Self> {
        Mailbox::new(size_of::<Message>()).map(Self)
    }
}

impl Channel for Queue {
    #[inline]
    fn send(&self, message: &Message) {
        self.0.send(message);
    }

    #[inline]
    fn receive(&self) -> Message {
        let mut message = [0; size_of::<Message>()];
        self.0.receive(&mut message);
        message
    }
}
