//! The clock of the kernel that serves measured code, in nanoseconds: `CLOCK_MONOTONIC`, or that of
//! a real-time core.

use std::hint::black_box;

use crate::posix;

/// Returns a time stamp: nanoseconds of the clock.
///
/// On Linux this is clock_gettime(2), served by the vDSO if the clock source allows it, with both C
/// libraries; the conversion to nanoseconds is the only arithmetic.
#[must_use]
#[inline]
pub fn now() -> u64 {
    posix::now()
}

/// Whether stamps are those of Linux's `CLOCK_MONOTONIC`, which its traces also use; a real-time
/// core may have its own clock.
#[must_use]
pub fn is_of_linux() -> bool {
    let before = posix::linux_now();
    let stamp = now();
    (before..=posix::linux_now()).contains(&stamp)
}

/// Returns the CPU time that the calling thread has used, in nanoseconds.
#[must_use]
#[inline]
pub fn thread_cpu_time() -> u64 {
    posix::thread_cpu_time()
}

/// Returns the wall clock time since 1970 (UTC) in nanoseconds, 0 before; for labels, never for
/// differences.
#[must_use]
pub fn unix_time() -> u64 {
    posix::linux_clock(libc::CLOCK_REALTIME).cast_signed().max(0).cast_unsigned()
}

/// Returns the time since boot in nanoseconds, with the time for which the machine was suspended:
/// `CLOCK_BOOTTIME`, which nothing sets.
#[must_use]
pub fn since_boot() -> u64 {
    posix::linux_clock(libc::CLOCK_BOOTTIME)
}

/// Returns the wall clock time (in nanoseconds since 1970, UTC) of a moment of [`now`]. Both clocks
/// are read several times, and the pair that took least counts: a thread may lose its CPU between the
/// two.
#[must_use]
pub fn unix_time_of(moment: u64) -> u64 {
    let reading = |()| {
        let before = now();
        let unix = unix_time();
        (now() - before, unix.wrapping_sub(before))
    };
    let [first, rest @ ..] = [(); 8].map(reading);
    let (_, difference) = rest.into_iter().fold(first, Ord::min);
    moment.wrapping_add(difference)
}

/// Returns for how long this machine has been suspended since boot, in nanoseconds: the difference
/// of `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC`, to about a microsecond.
#[must_use]
pub fn suspended() -> u64 {
    let monotonic = posix::linux_now();
    since_boot().saturating_sub(monotonic)
}

/// Returns the frequency of the processor's counter, on which Linux's clock is based on 64-bit Arm:
/// `CNTFRQ_EL0`, of the Arm Architecture Reference Manual, D24.8. `None` on other processors, whose
/// counters are finer than a nanosecond.
#[must_use]
pub fn counter_hz() -> Option<u64> {
    #[cfg(target_arch = "aarch64")]
    {
        let frequency: u64;
        // SAFETY: reads a register that Linux lets every program read.
        unsafe {
            std::arch::asm!("mrs {}, cntfrq_el0", out(reg) frequency, options(nostack, nomem));
        }
        Some(frequency).filter(|frequency| *frequency > 0)
    }
    #[cfg(not(target_arch = "aarch64"))]
    None
}

/// Estimates the cost of one stamp here, in nanoseconds: the fastest of several short loops with
/// stamps minus the fastest without.
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

/// Sleeps until the stamp `until`; returns at once if it has passed.
///
/// On Linux this is clock_nanosleep(2) with `TIMER_ABSTIME`; a signal does not end the sleep.
#[inline]
pub fn sleep_until(until: u64) {
    posix::sleep_until(until);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_of_linux_without_a_real_time_core() {
        assert!(posix::TWO_KERNELS || is_of_linux());
    }

    #[test]
    fn the_wall_clock_goes_as_the_stamps_do() {
        let moment = now();
        let [first, later] = [0, 3_600_000_000_000].map(|ahead| unix_time_of(moment + ahead));
        // Two days of drift or a step of the wall clock between the two are far less.
        assert_eq!((later - first).div_ceil(1_000_000_000_000), 4);
        assert_eq!(unix_time().abs_diff(first) / 86_400_000_000_000, 0);
    }

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
