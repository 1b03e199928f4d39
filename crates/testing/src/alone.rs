//! Ensures that only one test on the machine measures at a time.

use std::cell::RefCell;
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The locked file. Every process of the machine sees the same file, for each user, in each test
/// program and in each mount namespace. Nothing is written to it, and the kernel releases the lock
/// when a process ends.
const LOCKED: &str = "/proc/self/ns/user";
/// Longer than any test measures. After this time, the holder hangs or belongs to another project.
const PATIENCE: Duration = Duration::from_secs(600);

thread_local! {
    static HELD: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Waits until no other test measures, and makes all others wait until the calling test ends: each
/// test has a separate thread. A test that already holds the lock continues immediately.
///
/// # Panics
/// If `/proc` is not mounted.
pub fn measure_alone() {
    HELD.with_borrow_mut(|held| {
        held.get_or_insert_with(locked);
    });
}

fn locked() -> File {
    static IMPATIENT: AtomicBool = AtomicBool::new(false);
    let file = File::open(LOCKED).expect("/proc is mounted");
    let give_up = Instant::now() + PATIENCE;
    while file.try_lock().is_err() && !IMPATIENT.load(Ordering::Relaxed) {
        if Instant::now() > give_up {
            IMPATIENT.store(true, Ordering::Relaxed);
            crate::skipped::say(
                "another test has measured for 10 minutes: not waiting for it (see /proc/locks)",
            );
        }
        sleep(Duration::from_millis(10));
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::thread::{self, Builder};

    #[test]
    fn one_test_at_a_time_measures_and_may_wait_twice() {
        static MEASURING: AtomicU32 = AtomicU32::new(0);
        let measure = || {
            measure_alone();
            measure_alone();
            assert_eq!(MEASURING.fetch_add(1, Ordering::SeqCst), 0);
            thread::yield_now();
            MEASURING.fetch_sub(1, Ordering::SeqCst);
        };
        thread::scope(|scope| {
            for _ in 0..20 {
                let _ = Builder::new().spawn_scoped(scope, measure).unwrap();
            }
        });
    }
}
