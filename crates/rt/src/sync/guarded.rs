//! Many small values, each behind a binary semaphore of its own.

use std::cell::UnsafeCell;
use std::io;

use crate::posix::Semaphore;

/// Values that threads copy in and out, one semaphore a value.
#[derive(Debug)]
pub struct Guarded<T>(Box<[Cell<T>]>);

/// The value lies beside its semaphore, so that taking the one fetches the other.
#[derive(Debug)]
struct Cell<T> {
    free: Semaphore,
    value: UnsafeCell<T>,
}

// SAFETY: the value is read and written by the holder of the semaphore alone, and
// semaphores are made to be used by several threads at once.
unsafe impl<T: Send> Sync for Guarded<T> {}
// SAFETY: a semaphore that nobody waits for may be used by any thread.
unsafe impl<T: Send> Send for Guarded<T> {}

impl<T: Copy> Guarded<T> {
    /// The given values, all free.
    ///
    /// # Errors
    /// Where the kernel has no room for so many semaphores; says what it needs.
    pub fn new(values: impl Iterator<Item = T>) -> io::Result<Self> {
        let cell = |value| Cell { free: Semaphore::unset(), value: UnsafeCell::new(value) };
        let cells: Box<[Cell<T>]> = values.map(cell).collect();
        for cell in &cells {
            // SAFETY: the boxed slice gives the semaphore an address that stays.
            unsafe { cell.free.set(1) }?;
        }
        Ok(Self(cells))
    }

    /// How many values there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Copies a value out.
    ///
    /// # Panics
    /// When there is no such value.
    #[inline]
    #[must_use]
    pub fn load(&self, index: usize) -> T {
        // SAFETY: the pointer is valid and nobody else uses the value meanwhile.
        self.0[index].exclusively(|value| unsafe { *value })
    }

    /// Copies a value in.
    ///
    /// # Panics
    /// When there is no such value.
    #[inline]
    pub fn store(&self, index: usize, new: T) {
        // SAFETY: the pointer is valid and nobody else uses the value meanwhile.
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
