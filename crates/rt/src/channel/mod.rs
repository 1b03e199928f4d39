//! Channels that pass messages from one thread to another, behind one trait.

mod ends;
mod event;
mod futex;
mod queue;
mod ring;
mod slot;

pub use ends::Ends;
pub use event::Event;
pub use futex::Futex;
pub use queue::Queue;
pub use ring::{Ring, SlotRing};

/// What is passed: 16 bytes, as in the telecommunication benchmark (TEL) by which these channels
/// are compared.
pub type Message = [u8; 16];

/// A channel with one sender and one receiver.
///
/// The next message is sent only after the last one was received, so there is always room. A signal
/// does not end a call.
pub trait Channel: Send + Sync {
    /// Puts a message in, and wakes the receiver if it sleeps.
    fn send(&self, message: &Message);
    /// Waits for a message and takes it out.
    fn receive(&self) -> Message;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::Semaphore;

    const MESSAGES: u64 = 2_000;

    fn message(number: u64) -> Message {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&number.to_ne_bytes());
        bytes[8..].copy_from_slice(&(!number).to_ne_bytes());
        bytes
    }

    fn passes_every_message(channel: &dyn Channel) {
        let received = Semaphore::new(0).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..MESSAGES {
                    channel.send(&message(number));
                    received.wait();
                }
            });
            for number in 0..MESSAGES {
                assert_eq!(channel.receive(), message(number));
                received.post();
            }
        });
    }

    #[test]
    fn every_channel_passes_whole_messages_in_order() {
        passes_every_message(&Ends::pipe().unwrap());
        passes_every_message(&Ends::socket().unwrap());
        passes_every_message(&Event::new().unwrap());
        passes_every_message(&Futex::new().unwrap());
        passes_every_message(&Ring::default());
        match Queue::new() {
            Ok(queue) => passes_every_message(&queue),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::Unsupported),
        }
    }
}
