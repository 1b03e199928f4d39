//! Hands one value per pass from a thread to its neighbour, which hands one back.

use super::atomic::{AtomicU64, Ordering};
use super::padded::Padded;
use super::stop::{Stop, Stopped};

/// Two slots that one thread fills in turn, one per pass, for another thread.
///
/// Two are enough for threads that exchange values: the owner reaches the pass that overwrites a
/// slot only after it got the neighbour's value of the pass between, which the neighbour sent after
/// it had read this slot.
#[derive(Debug)]
pub struct TwoSlots<T> {
    /// Number of passes whose values are complete.
    complete: Padded<AtomicU64>,
    slots: [T; 2],
}

impl<T> TwoSlots<T> {
    /// Creates slots without a value.
    pub fn new(slots: [T; 2]) -> Self {
        Self { complete: Padded::default(), slots }
    }

    /// Fills the slot of pass `pass`, counted from 0, and announces it.
    #[inline]
    pub fn send(&self, pass: u64, fill: impl FnOnce(&T)) {
        fill(self.slot(pass));
        self.complete.store(pass + 1, Ordering::Release);
    }

    /// Waits for the value of pass `pass`.
    ///
    /// # Errors
    /// Fails if a thread has left.
    #[inline]
    pub fn wait(&self, pass: u64, stop: &Stop) -> Result<(), Stopped> {
        stop.wait_until(|| self.complete.load(Ordering::Acquire) > pass)
    }

    /// Returns the slot of pass `pass`; wait for it first.
    #[inline]
    pub fn slot(&self, pass: u64) -> &T {
        &self.slots[(pass % 2) as usize]
    }
}
