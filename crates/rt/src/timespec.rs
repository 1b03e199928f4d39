//! `struct timespec` and stamps in nanoseconds.

use std::mem::MaybeUninit;

/// The nanoseconds that a call writes into the place that it is given, which it must fill.
#[inline]
pub(crate) fn read(ask: impl FnOnce(*mut libc::timespec) -> libc::c_int) -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    ask(time.as_mut_ptr());
    // SAFETY: the clocks used here exist on every kernel since 2.6.12, so the call
    // has filled it.
    let time = unsafe { time.assume_init() };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// So many nanoseconds.
#[inline]
pub(crate) fn of(ns: u64) -> libc::timespec {
    libc::timespec { tv_sec: (ns / 1_000_000_000) as _, tv_nsec: (ns % 1_000_000_000) as _ }
}
