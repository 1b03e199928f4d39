//! `struct timespec` and stamps in nanoseconds.

use std::mem::MaybeUninit;

/// Reads a time in nanoseconds; `ask` must fill the place that it is given. A time before the clock's
/// origin wraps round.
#[inline]
pub(crate) fn read(ask: impl FnOnce(*mut libc::timespec) -> libc::c_int) -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    ask(time.as_mut_ptr());
    // SAFETY: the clocks used here have existed on every kernel since 2.6.12, so the call has
    // filled it.
    let time = unsafe { time.assume_init() };
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

/// Converts nanoseconds to a `timespec`.
#[inline]
pub(crate) fn of(ns: u64) -> libc::timespec {
    libc::timespec { tv_sec: (ns / 1_000_000_000) as _, tv_nsec: (ns % 1_000_000_000) as _ }
}
