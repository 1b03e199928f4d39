//! Ensures that only one test on the machine measures at a time.

use std::cell::RefCell;
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The locked file. Every process of the machine sees the same file, for each user, in each test
/// program and in each mount namespace. Nothing is written to it, and the kernel releases the lock
/// when a process ends.
const LOCKED: &str = "/proc/self/ns/user";
/// Longer than another project's test measures. After this time, the other process hangs.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long each process leaves the lock to others before it tries to take it.
const COURTESY: Duration = Duration::from_millis(10);

/// The tests of this process in the order in which they arrived: a lock that is taken by whoever
/// tries first can keep a test waiting until all others have ended.
static QUEUE: Mutex<Queue> = Mutex::new(Queue { arrived: 0, ended: 0 });
static ENDED: Condvar = Condvar::new();

struct Queue {
    arrived: u64,
    ended: u64,
}

thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// Waits until no other test measures, and makes all others wait until the calling test ends: each
/// test has a separate thread. A test whose turn it already is continues immediately.
///
/// # Panics
/// If `/proc` is not mounted.
pub fn measure_alone() {
    TURN.with_borrow_mut(|turn| {
        turn.get_or_insert_with(Turn::awaited);
    });
}

struct Turn {
    lock: Option<File>,
}

impl Turn {
    fn awaited() -> Self {
        let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
        let number = queue.arrived;
        queue.arrived += 1;
        let turn = ENDED.wait_while(queue, |queue| queue.ended < number);
        drop(turn.unwrap_or_else(PoisonError::into_inner));
        // The turn ends also if the file cannot be locked.
        let mut turn = Self { lock: None };
        turn.lock = Some(locked());
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.lock = None;
        QUEUE.lock().unwrap_or_else(PoisonError::into_inner).ended += 1;
        ENDED.notify_all();
    }
}

/// Returns the file, locked against tests of other processes.
fn locked() -> File {
    static IMPATIENT: AtomicBool = AtomicBool::new(false);
    let file = File::open(LOCKED).expect("/proc is mounted");
    let give_up = Instant::now() + PATIENCE;
    sleep(COURTESY);
    while file.try_lock().is_err() && !IMPATIENT.load(Ordering::Relaxed) {
        if Instant::now() > give_up {
            IMPATIENT.store(true, Ordering::Relaxed);
            crate::skipped::say(
                "another test has measured for 10 minutes: not waiting for it (see /proc/locks)",
            );
        }
        sleep(COURTESY);
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
