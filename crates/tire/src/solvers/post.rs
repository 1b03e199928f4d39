//! How neighbouring threads exchange the cells at their common seam: no lock, no
//! barrier, one message each way.

use std::sync::atomic::{AtomicU64, Ordering};

use rt::simd::Real;
use rt::sync::{Padded, Stop, Stopped};

use super::strand::RawCell;

/// The cells at one end of a thread's stretch, for the neighbour at that end.
///
/// The owner posts them after every pass, the neighbour reads them before its next. Two
/// slots are enough: the owner reaches the pass that overwrites a slot only with the
/// neighbour's message of the pass between, which it sent after it had read this slot.
#[derive(Debug)]
pub struct Post<T: Real> {
    /// Passes whose messages are complete.
    complete: Padded<AtomicU64>,
    slots: [Box<[[T::Atomic; 8]]>; 2],
}

impl<T: Real> Post<T> {
    /// For messages of so many cells.
    pub fn new(cells: usize) -> Self {
        let slot = || (0..cells).map(|_| Default::default()).collect();
        Self {
            complete: Padded::default(),
            slots: [slot(), slot()],
        }
    }

    /// Posts the message of pass `pass`, counted from 0.
    pub fn send(&self, pass: u64, cell: impl Fn(usize) -> RawCell<T>) {
        for (i, to) in self.slot(pass).iter().enumerate() {
            for (number, to) in cell(i).as_flattened().iter().zip(to) {
                number.store(to);
            }
        }
        self.complete.store(pass + 1, Ordering::Release);
    }

    /// Waits for the message of pass `pass`.
    pub fn wait(&self, pass: u64, stop: &Stop) -> Result<(), Stopped> {
        stop.wait_until(|| self.complete.load(Ordering::Acquire) > pass)
    }

    /// One cell of the message of pass `pass`, after waiting for it.
    pub fn read(&self, pass: u64, i: usize) -> RawCell<T> {
        let from = &self.slot(pass)[i];
        let number = |i: usize| T::load(&from[i]);
        [[0, 1, 2, 3].map(number), [4, 5, 6, 7].map(number)]
    }

    fn slot(&self, pass: u64) -> &[[T::Atomic; 8]] {
        &self.slots[(pass % 2) as usize]
    }
}
