//! Halo exchange: neighbouring threads send each other the cells at their common border, with no
//! lock and no barrier, one message each way.

use rt::simd::Real;
use rt::sync::{Stop, Stopped, TwoSlots};

use super::subdomain::RawCell;

/// All messages between the threads of one tire.
#[derive(Debug)]
pub struct Halos<T: Real>(Box<[[Post<T>; 2]]>);

/// Access to the messages that one thread gets from the threads before and after it.
pub struct Neighbours<'a, T: Real> {
    before: &'a Post<T>,
    after: &'a Post<T>,
    /// True if the ladder closes at that border, where its rails cross.
    crosses_before: bool,
    crosses_after: bool,
}

impl<T: Real> Halos<T> {
    /// Allocates messages of this many cells.
    pub fn new(threads: usize, cells: usize) -> Self {
        let ends = |_| [Post::new(cells), Post::new(cells)];
        Self((0..threads).map(ends).collect())
    }

    /// Returns the messages of a thread: its first cells for the thread before it, its last cells
    /// for the thread after it.
    pub fn of(&self, thread: usize) -> &[Post<T>; 2] {
        &self.0[thread]
    }

    /// Returns the messages that the neighbours of a thread post for it.
    pub fn neighbours(&self, thread: usize) -> Neighbours<'_, T> {
        let threads = self.0.len();
        let [_, before] = self.of((thread + threads - 1) % threads);
        let [after, _] = self.of((thread + 1) % threads);
        Neighbours {
            before,
            after,
            crosses_before: thread == 0,
            crosses_after: thread + 1 == threads,
        }
    }
}

impl<T: Real> Neighbours<'_, T> {
    /// Waits for both messages of pass `pass`.
    pub fn wait(&self, pass: u64, stop: &Stop) -> Result<(), Stopped> {
        self.before.0.wait(pass, stop)?;
        self.after.0.wait(pass, stop)
    }

    /// Returns the cell `i` places before the stretch, counted from 0.
    pub fn before(&self, pass: u64, i: usize) -> RawCell<T> {
        let [a, b] = self.before.read(pass, i);
        if self.crosses_before { [b, a] } else { [a, b] }
    }

    /// Returns the cell `i` places after the stretch, counted from 0.
    pub fn after(&self, pass: u64, i: usize) -> RawCell<T> {
        let [a, b] = self.after.read(pass, i);
        if self.crosses_after { [b, a] } else { [a, b] }
    }
}

/// The cells at one end of a thread's stretch, for the neighbour at that end.
///
/// The owner posts them after every pass, and the neighbour reads them before its next.
#[derive(Debug)]
pub struct Post<T: Real>(TwoSlots<Box<[[T::Atomic; 8]]>>);

impl<T: Real> Post<T> {
    /// Allocates messages of this many cells.
    fn new(cells: usize) -> Self {
        let slot = || (0..cells).map(|_| Default::default()).collect();
        Self(TwoSlots::new([slot(), slot()]))
    }

    /// Posts the message of pass `pass`, counted from 0.
    pub fn send(&self, pass: u64, cell: impl Fn(usize) -> RawCell<T>) {
        self.0.send(pass, |slot| {
            for (i, to) in slot.iter().enumerate() {
                for (number, to) in cell(i).as_flattened().iter().zip(to) {
                    number.store(to);
                }
            }
        });
    }

    /// Reads one cell of the message of pass `pass`; wait for that message first.
    fn read(&self, pass: u64, i: usize) -> RawCell<T> {
        let from = &self.0.slot(pass)[i];
        let number = |i: usize| T::load(&from[i]);
        [[0, 1, 2, 3].map(number), [4, 5, 6, 7].map(number)]
    }
}
