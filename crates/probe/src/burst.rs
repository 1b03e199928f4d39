//! Bursts: busy stretches with rests between them.
//!
//! A thread that never rests at real-time priority meets the kernel's
//! throttling (95 % of a second) and starves the rest of the machine. Work that
//! never waits is therefore cut into short bursts; the rests are not measured.

use std::hint::spin_loop;
use std::sync::Barrier;

use rt::clock;
use units::Nanos;

/// From the start of one burst to the start of the next, where a burst is
/// shorter than that.
const BURST_PERIOD_NS: u64 = 5_000_000;

/// How many bursts fit the time, at least one.
pub(crate) fn bursts_in(time: Nanos) -> u64 {
    (time.0 / BURST_PERIOD_NS).max(1)
}

/// Runs `burst` again and again in step with the other threads that share the
/// barrier. After each burst all rest at least a quarter of its length.
pub(crate) fn in_bursts(bursts: u64, together: &Barrier, mut burst: impl FnMut()) {
    for _ in 0..bursts {
        together.wait();
        let start = clock::now();
        burst();
        let end = clock::now();
        let rest = (end - start) / 4;
        clock::sleep_until((start + BURST_PERIOD_NS).max(end + rest));
    }
}

/// Keeps the CPU until the stamp.
pub(crate) fn spin_until(stamp: u64) {
    while clock::now() < stamp {
        spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_burst_runs_in_every_thread() {
        let together = Barrier::new(2);
        let counts = std::thread::scope(|scope| {
            let count = || {
                let mut count = 0;
                in_bursts(7, &together, || count += 1);
                count
            };
            let other = scope.spawn(count);
            (count(), other.join().unwrap())
        });
        assert_eq!(counts, (7, 7));
    }
}
