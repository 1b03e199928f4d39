//! The clock: `CLOCK_MONOTONIC` in nanoseconds.

use std::hint::black_box;
use std::mem::MaybeUninit;

use crate::posix;

/// A stamp: nanoseconds of `CLOCK_MONOTONIC`.
///
/// clock_gettime(2). Served by the vDSO where the clock source allows it, on
/// both C libraries; the conversion to nanoseconds is the only arithmetic.
#[must_use]
#[inline]
pub fn now() -> u64 {
    read(|time| {
        // SAFETY: `read` gives a place that is valid for writing.
        unsafe { posix::clock_gettime(libc::CLOCK_MONOTONIC, time) }
    })
}

/// CPU time that the calling thread has used, in nanoseconds.
#[must_use]
#[inline]
pub fn thread_cpu_time() -> u64 {
    read(|time| {
        // SAFETY: as above.
        unsafe { posix::thread_cpu_time(time) }
    })
}

/// Wall clock time since 1970 (UTC) in nanoseconds; for labels, never for
/// differences.
#[must_use]
pub fn unix_time() -> u64 {
    read(|time| {
        // SAFETY: as above.
        unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, time) }
    })
}

#[inline]
fn read(ask: impl FnOnce(*mut libc::timespec) -> libc::c_int) -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    ask(time.as_mut_ptr());
    // SAFETY: the clocks used here exist on every kernel since 2.6.12, so the call
    // has filled it.
    let time = unsafe { time.assume_init() };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// About what one stamp costs here, in nanoseconds: the best of some short loops
/// with stamps minus the best without.
#[must_use]
pub fn stamp_cost() -> f64 {
    const LOOPS: usize = 10;
    const TURNS: u64 = 1_000;
    let best = |turn: fn(u64)| {
        let timed = (0..LOOPS).map(|_| {
            let start = now();
            (0..TURNS).for_each(turn);
            now() - start
        });
        timed.min().unwrap_or(0) as f64
    };
    let with = best(|turn| {
        black_box(turn);
        black_box(now());
    });
    let without = best(|turn| {
        black_box(turn);
    });
    (with - without) / TURNS as f64
}

/// Sleeps until the stamp `until`; returns at once when it has passed.
///
/// clock_nanosleep(2) with `TIMER_ABSTIME`; a signal does not end the sleep.
#[inline]
pub fn sleep_until(until: u64) {
    let time = libc::timespec {
        tv_sec: (until / 1_000_000_000) as _,
        tv_nsec: (until % 1_000_000_000) as _,
    };
    // SAFETY: `time` is a valid timespec, and an absolute sleep writes nothing
    // back.
    while unsafe {
        posix::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const time,
            std::ptr::null_mut(),
        )
    } == libc::EINTR
    {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_never_runs_backwards() {
        let stamps: Vec<u64> = (0..10_000).map(|_| now()).collect();
        assert!(stamps.is_sorted());
    }

    #[test]
    fn a_sleep_never_ends_early() {
        for _ in 0..20 {
            let due = now() + 200_000;
            sleep_until(due);
            assert!(now() >= due);
        }
        sleep_until(0);
    }
}
