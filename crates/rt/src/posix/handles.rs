//! Semaphores and mutexes that a core makes and knows by a handle.

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
    /// One to be set before it is used.
    pub(crate) fn unset() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// Lets `count` waits pass at once.
    ///
    /// # Errors
    /// Where the core has no room for one more; says what it needs.
    ///
    /// # Safety
    /// None is needed: it may also be moved, unlike those of POSIX.
    pub(crate) unsafe fn set(&self, count: u32) -> io::Result<()> {
        let made = kernel::semaphore(count)?;
        self.0.store(made.as_ptr(), Ordering::Relaxed);
        Ok(())
    }

    #[inline]
    fn handle(&self) -> *mut c_void {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes one if there is one; never waits.
    #[inline]
    pub(crate) fn try_wait(&self) -> bool {
        kernel::try_wait(self.handle())
    }

    /// Waits for one; a signal does not end the wait.
    #[inline]
    pub(crate) fn wait(&self) {
        kernel::wait(self.handle());
    }

    /// Adds one, and wakes a waiter.
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

// SAFETY: the handle is the core's, which several threads may ask at once.
unsafe impl Send for Mutex {}
// SAFETY: as above.
unsafe impl Sync for Mutex {}

impl Mutex {
    /// A mutex that nobody holds.
    ///
    /// # Errors
    /// Where the core has no such protocol, or no room for one more.
    pub(crate) fn new(protocol: Protocol) -> io::Result<Self> {
        kernel::mutex(protocol).map(Self)
    }

    /// Takes it if nobody holds it; never waits.
    #[inline]
    pub(crate) fn try_lock(&self) -> bool {
        kernel::try_lock(self.0.as_ptr())
    }

    /// Waits until nobody holds it and takes it, unless a ceiling is below the priority of
    /// the calling thread.
    #[inline]
    pub(crate) fn lock(&self) -> bool {
        kernel::lock(self.0.as_ptr())
    }

    /// Gives it back; the calling thread holds it.
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
