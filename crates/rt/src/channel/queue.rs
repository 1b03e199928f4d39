//! A mailbox of the kernel that answers measured code.

use std::io;

use super::{Channel, Message};
use crate::posix::Mailbox;

/// A mailbox of one message: a POSIX message queue, or what a core beside Linux has in its
/// place.
#[derive(Debug)]
pub struct Queue(Mailbox);

impl Queue {
    /// A new one that nobody else can find.
    ///
    /// # Errors
    /// Where the kernel has none or no room for one; says what it needs.
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
