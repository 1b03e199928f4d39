//! A counting POSIX semaphore: sem_wait(3), sem_post(3).

use std::cell::UnsafeCell;
use std::io;
use std::mem::MaybeUninit;

use super::super::kernel;
use super::super::kinds::unsupported;
use crate::driver::checked;

/// A semaphore that must not be moved after [`Semaphore::set`].
#[derive(Debug)]
pub(crate) struct Semaphore(UnsafeCell<libc::sem_t>);

// SAFETY: POSIX semaphores are designed for use by several threads at once; the cell is only passed
// to sem_* functions.
unsafe impl Sync for Semaphore {}
// SAFETY: any thread may use a semaphore for which no thread waits.
unsafe impl Send for Semaphore {}

impl Semaphore {
    /// Creates a semaphore that must be set before it is used.
    pub(crate) fn unset() -> Self {
        // SAFETY: all zeros are valid bits of the plain C union.
        Self(UnsafeCell::new(unsafe { MaybeUninit::zeroed().assume_init() }))
    }

    /// Lets `count` waits pass immediately.
    ///
    /// # Errors
    /// Fails if the kernel has no room for another one; the error says what it needs.
    ///
    /// # Safety
    /// The semaphore must not be set yet, and must not be moved from here on.
    pub(crate) unsafe fn set(&self, count: u32) -> io::Result<()> {
        // SAFETY: the caller guarantees a fixed address.
        checked(unsafe { kernel::sem_init(self.0.get(), 0, count) }).map_err(no_room)
    }

    /// Decrements the semaphore if it is above 0; never waits.
    #[inline]
    pub(crate) fn try_wait(&self) -> bool {
        // SAFETY: its creator has set it, and it lives as long as `self`.
        unsafe { kernel::sem_trywait(self.0.get()) == 0 }
    }

    /// Waits until the semaphore is above 0 and decrements it; a signal does not end the wait.
    #[inline]
    pub(crate) fn wait(&self) {
        // SAFETY: as above; the only error of a valid semaphore is EINTR.
        while unsafe { kernel::sem_wait(self.0.get()) } != 0 {}
    }

    /// Increments the semaphore, and wakes a waiter.
    #[inline]
    pub(crate) fn post(&self) {
        // SAFETY: as above.
        unsafe { kernel::sem_post(self.0.get()) };
    }
}

/// Explains what another semaphore needs. Linux has no limit; the Cobalt core has a slot for each.
fn no_room(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM) => unsupported(
            "needs room for more semaphores: a kernel with a larger \
             CONFIG_XENO_OPT_REGISTRY_NRSLOTS and CONFIG_XENO_OPT_PRIVATE_HEAPSZ",
        ),
        _ => error,
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: no thread waits, since no other code has a reference. For a semaphore that was
        // never set, the call returns an error, which is ignored.
        unsafe { kernel::sem_destroy(self.0.get()) };
    }
}
