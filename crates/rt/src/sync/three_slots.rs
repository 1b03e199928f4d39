//! Hands the latest value of one thread to another with a different rate; neither side waits.
//!
//! There are three slots: one that the writer fills, one that the reader reads, and between them
//! the latest complete one, which each side takes in exchange for its own. With only two slots, a
//! reader that is preempted while it copies would be overtaken by the second write after that.

use std::sync::Arc;

use super::atomic::{AtomicUsize, Ordering};

const SLOTS: usize = 3;
/// Marks a slot that the reader has not taken yet.
const FRESH: usize = 4;

#[derive(Debug)]
struct ThreeSlots<T> {
    slots: [T; SLOTS],
    latest: AtomicUsize,
}

/// The writing end of three slots.
#[derive(Debug)]
pub struct SlotWriter<T> {
    shared: Arc<ThreeSlots<T>>,
    own: usize,
}

/// The reading end of three slots.
#[derive(Debug)]
pub struct SlotReader<T> {
    shared: Arc<ThreeSlots<T>>,
    own: usize,
}

/// Creates three slots. The reader finds one as `slot` made it until the writer has filled one.
pub fn three_slots<T>(mut slot: impl FnMut() -> T) -> (SlotWriter<T>, SlotReader<T>) {
    let slots = std::array::from_fn(|_| slot());
    let shared = Arc::new(ThreeSlots { slots, latest: AtomicUsize::new(1) });
    (SlotWriter { shared: Arc::clone(&shared), own: 0 }, SlotReader { shared, own: 2 })
}

impl<T> SlotWriter<T> {
    /// Fills a slot and publishes it. The slot has an older content, and no other thread uses it.
    #[inline]
    pub fn put(&mut self, fill: impl FnOnce(&T)) {
        fill(&self.shared.slots[self.own]);
        let latest = &self.shared.latest;
        self.own = latest.swap(self.own | FRESH, Ordering::AcqRel) & !FRESH;
    }
}

impl<T> SlotReader<T> {
    /// Returns the latest slot. The writer does not use it until the next call.
    #[inline]
    pub fn take(&mut self) -> &T {
        let latest = &self.shared.latest;
        if latest.load(Ordering::Relaxed) & FRESH != 0 {
            self.own = latest.swap(self.own, Ordering::AcqRel) & !FRESH;
        }
        &self.shared.slots[self.own]
    }
}
