//! A place in memory for one message.

use super::Message;
use crate::sync::atomic::{AtomicU64, Ordering};

/// Holds a message for another thread. A slot does not order memory accesses: the counter that
/// announces the message does.
#[derive(Debug, Default)]
pub struct Slot([AtomicU64; 2]);

impl Slot {
    #[inline]
    pub fn put(&self, message: &Message) {
        let number = u128::from_ne_bytes(*message);
        self.0[0].store(number as u64, Ordering::Relaxed);
        self.0[1].store((number >> 64) as u64, Ordering::Relaxed);
    }

    #[inline]
    pub fn take(&self) -> Message {
        let [low, high] = [0, 1].map(|half: usize| self.0[half].load(Ordering::Relaxed));
        (u128::from(high) << 64 | u128::from(low)).to_ne_bytes()
    }
}
