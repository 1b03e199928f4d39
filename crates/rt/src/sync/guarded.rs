//! Many small values, each protected by its own binary semaphore.

use std::cell::UnsafeCell;
use std::io;

use crate::posix::Semaphore;

/// Values that threads copy in and out, with one semaphore per value.
#[derive(Debug)]
pub struct Guarded<T>(Box<[Cell<T>]>);

/// A value next to its semaphore in memory, so that taking the semaphore also fetches the value.
#[derive(Debug)]
struct Cell<T> {
    free: Semaphore,
    value: UnsafeCell<T>,
}

// SAFETY: only the holder of the semaphore reads and writes the value, and semaphores are designed
// for use by several threads at once.
unsafe impl<T: Send> Sync for Guarded<T> {}
// SAFETY: any thread may use a semaphore for which no thread waits.
unsafe impl<T: Send> Send for Guarded<T> {}

impl<T: Copy> Guarded<T> {
    /// Stores the given values, all free.
    ///
    /// # Errors
    /// Fails if the kernel has no room for this many semaphores; the error says what it needs.
    pub fn new(values: impl Iterator<Item = T>) -> io::Result<Self> {
        let cell = |value| Cell { free: Semaphore::unset(), value: UnsafeCell::new(value) };
        let cells: Box<[Cell<T>]> = values.map(cell).collect();
        for cell in &cells {
            // SAFETY: the boxed slice gives the semaphore a fixed address.
            unsafe { cell.free.set(1) }?;
        }
        Ok(Self(cells))
    }

    /// Returns how many values there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "not needed")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Copies a value out.
    ///
    /// # Panics
    /// Panics if there is no such value.
    #[inline]
    #[must_use]
    pub fn load(&self, index: usize) -> T {
        // SAFETY: the pointer is valid and no other thread uses the value at the same time.
        self.0[index].exclusively(|value| unsafe { *value })
    }

    /// Copies a value in.
    ///
    /// # Panics
    /// Panics if there is no such value.
    #[inline]
    pub fn store(&self, index: usize, new: T) {
        // SAFETY: the pointer is valid and no other thread uses the value at the same time.
        self.0[index].exclusively(|value| unsafe { *value = new });
    }
}

impl<T> Cell<T> {
    /// Calls `use_it` while holding the semaphore; it must not panic.
    #[inline]
    fn exclusively<R>(&self, use_it: impl FnOnce(*mut T) -> R) -> R {
        self.free.wait();
        let result = use_it(self.value.get());
        self.free.post();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_seen_half_written() {
        let values = Guarded::new([[0_u64; 4]; 3].into_iter()).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| (1..=20_000).for_each(|n| values.store(1, [n; 4])));
            let mut last = 0;
            while last < 20_000 {
                let seen = values.load(1);
                assert_eq!(seen, [seen[0]; 4]);
                assert!(seen[0] >= last);
                last = seen[0];
            }
        });
        assert_eq!(values.load(0), [0; 4]);
    }
}
