//! Sleeping until another thread changes a number: futex(2), private to the process.

#[cfg(not(loom))]
use rustix::thread::futex::{self, Flags};

use super::atomic::AtomicU32;

/// Sleeps while the number is `value`. It may also return after a signal or a spurious wake-up, so
/// the caller checks again.
#[cfg(not(loom))]
#[inline]
pub(crate) fn wait(number: &AtomicU32, value: u32) {
    let _ = futex::wait(number, Flags::PRIVATE, value, None);
}

/// Wakes at most `threads` threads that sleep on the number.
#[cfg(not(loom))]
#[inline]
pub(crate) fn wake(number: &AtomicU32, threads: u32) {
    // Fails only for a bad address.
    let _ = futex::wake(number, Flags::PRIVATE, threads);
}

/// The model checker knows no futex. To it every sleep ends with a spurious wake-up, so it checks
/// the order of accesses and not whether a wake-up is lost.
#[cfg(loom)]
pub(crate) fn wait(_: &AtomicU32, _: u32) {
    loom::thread::yield_now();
}

#[cfg(loom)]
pub(crate) fn wake(_: &AtomicU32, _: u32) {}
