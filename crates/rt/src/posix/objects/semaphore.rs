//! A counting POSIX semaphore: sem_wait(3), sem_post(3).

use std::cell::UnsafeCell;
use std::io;
use std::mem::MaybeUninit;

use super::super::kernel;
use crate::driver::told;

/// A semaphore that stays where it lies from [`Semaphore::set`] on.
#[derive(Debug)]
pub(crate) struct Semaphore(UnsafeCell<libc::sem_t>);

// SAFETY: POSIX semaphores are made to be used by several threads at once; the cell is
// only ever handed to sem_* functions.
unsafe impl Sync for Semaphore {}
// SAFETY: a semaphore that nobody waits for may be used by any thread.
unsafe impl Send for Semaphore {}

impl Semaphore {
    /// One to be set before it is used.
    pub(crate) fn unset() -> Self {
        // SAFETY: all zeros are valid bits of the plain C union.
        Self(UnsafeCell::new(unsafe { MaybeUninit::zeroed().assume_init() }))
    }

    /// Lets `count` waits pass at once.
    ///
    /// # Errors
    /// Where the kernel has no room for one more; says what it needs.
    ///
    /// # Safety
    /// It is not set yet, and is not moved from here on.
    pub(crate) unsafe fn set(&self, count: u32) -> io::Result<()> {
        // SAFETY: the caller vouches for an address that stays.
        told(unsafe { kernel::sem_init(self.0.get(), 0, count) }).map_err(no_room)
    }

    /// Takes one if there is one; never waits.
    #[inline]
    pub(crate) fn try_wait(&self) -> bool {
        // SAFETY: whoever made it has set it, and it lives as long as `self`.
        unsafe { kernel::sem_trywait(self.0.get()) == 0 }
    }

    /// Waits for one; a signal does not end the wait.
    #[inline]
    pub(crate) fn wait(&self) {
        // SAFETY: as above; the only error of a valid semaphore is EINTR.
        while unsafe { kernel::sem_wait(self.0.get()) } != 0 {}
    }

    /// Adds one, and wakes a waiter.
    #[inline]
    pub(crate) fn post(&self) {
        // SAFETY: as above.
        unsafe { kernel::sem_post(self.0.get()) };
    }
}

/// What one more semaphore needs. Linux keeps none; the Cobalt core has a place for
/// each.
fn no_room(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM) => io::Error::new(
            io::ErrorKind::Unsupported,
            "needs room for more semaphores: a kernel with a larger \
             CONFIG_XENO_OPT_REGISTRY_NRSLOTS and CONFIG_XENO_OPT_PRIVATE_HEAPSZ",
        ),
        _ => error,
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: nobody waits, since nobody else has a reference. One that was never
        // set is no semaphore, which is told and ignored.
        unsafe { kernel::sem_destroy(self.0.get()) };
    }
}
