//! Semaphores and mutexes that a real-time core creates and knows by a handle.

use std::ffi::c_void;
use std::io;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use super::kernel;
use super::kinds::Protocol;

/// A counting semaphore.
#[derive(Debug)]
pub(crate) struct Semaphore(AtomicPtr<c_void>);

impl Semaphore {
    /// Creates a semaphore that must be set before it is used.
    pub(crate) fn unset() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// Lets `count` waits pass immediately.
    ///
    /// # Errors
    /// Fails if the core has no room for another one; the error says what it needs.
    ///
    /// # Safety
    /// None is needed: unlike a POSIX semaphore, it may be moved.
    pub(crate) unsafe fn set(&self, count: u32) -> io::Result<()> {
        let made = kernel::semaphore(count)?;
        self.0.store(made.as_ptr(), Ordering::Relaxed);
        Ok(())
    }

    #[inline]
    fn handle(&self) -> *mut c_void {
        self.0.load(Ordering::Relaxed)
    }

    /// Decrements the semaphore if it is above 0; never waits.
    #[inline]
    pub(crate) fn try_wait(&self) -> bool {
        kernel::try_wait(self.handle())
    }

    /// Waits until the semaphore is above 0 and decrements it; a signal does not end the wait.
    #[inline]
    pub(crate) fn wait(&self) {
        kernel::wait(self.handle());
    }

    /// Increments the semaphore, and wakes a waiter.
    #[inline]
    pub(crate) fn post(&self) {
        kernel::post(self.handle());
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        if let Some(made) = NonNull::new(self.handle()) {
            kernel::delete_semaphore(made);
        }
    }
}

/// A mutex that one thread holds at a time.
pub(crate) struct Mutex(NonNull<c_void>);

// SAFETY: the handle is the core's, and several threads may use it at once.
unsafe impl Send for Mutex {}
// SAFETY: as above.
unsafe impl Sync for Mutex {}

impl Mutex {
    /// Creates a free mutex.
    ///
    /// # Errors
    /// Fails if the core does not have this protocol, or has no room for another mutex.
    pub(crate) fn new(protocol: Protocol) -> io::Result<Self> {
        kernel::mutex(protocol).map(Self)
    }

    /// Takes the mutex if it is free; never waits.
    #[inline]
    pub(crate) fn try_lock(&self) -> bool {
        kernel::try_lock(self.0.as_ptr())
    }

    /// Waits until the mutex is free and takes it, unless its ceiling is below the priority of the
    /// calling thread.
    #[inline]
    pub(crate) fn lock(&self) -> bool {
        kernel::lock(self.0.as_ptr())
    }

    /// Releases the mutex, which the calling thread holds.
    #[inline]
    pub(crate) fn unlock(&self) {
        kernel::unlock(self.0.as_ptr());
    }
}

impl Drop for Mutex {
    fn drop(&mut self) {
        kernel::delete_mutex(self.0);
    }
}
