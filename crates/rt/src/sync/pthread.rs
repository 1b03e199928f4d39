//! The POSIX library's barrier.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Arc;

use super::barrier::Barrier;
use super::stop::{Stop, Stopped};
use crate::thread;

/// A barrier of pthread_barrier_init(3) and pthread_barrier_wait(3).
#[derive(Debug)]
pub(super) struct PthreadBarrier(Arc<Inner>);

struct Inner {
    barrier: UnsafeCell<libc::pthread_barrier_t>,
    stop: Stop,
}

// SAFETY: POSIX barriers are designed for use by several threads at once; the cell is only passed
// to pthread_barrier_* functions.
unsafe impl Sync for Inner {}
// SAFETY: any thread may use a barrier at which no thread waits.
unsafe impl Send for Inner {}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("stop", &self.stop).finish_non_exhaustive()
    }
}

impl PthreadBarrier {
    pub(super) fn new(threads: u32) -> Self {
        let inner = Arc::new(Inner {
            // SAFETY: all zeros are valid bits of the plain C union.
            barrier: UnsafeCell::new(unsafe { MaybeUninit::zeroed().assume_init() }),
            stop: Stop::default(),
        });
        // SAFETY: the `Arc` gives the barrier a fixed address.
        unsafe { libc::pthread_barrier_init(inner.barrier.get(), std::ptr::null(), threads) };
        Self(inner)
    }
}

impl Inner {
    fn wait(&self) {
        // SAFETY: `new` has initialised the barrier, which lives as long as `self`.
        unsafe { libc::pthread_barrier_wait(self.barrier.get()) };
    }
}

impl Barrier for PthreadBarrier {
    fn wait(&self) -> Result<(), Stopped> {
        self.0.wait();
        self.0.stop.check()
    }

    /// Leaves the barrier. A POSIX barrier cannot be left, so another thread arrives in place of
    /// this one; if no further thread arrives, it waits alone until the process ends. If it cannot
    /// be started, this thread waits itself.
    fn leave(&self) {
        self.0.stop.stop();
        let inner = Arc::clone(&self.0);
        if thread::start("left", move || inner.wait()).is_err() {
            self.0.wait();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: no thread waits, since no other code has a reference.
        unsafe { libc::pthread_barrier_destroy(self.barrier.get()) };
    }
}
