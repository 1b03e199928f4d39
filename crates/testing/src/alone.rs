//! Ensures that only one test on the machine measures at a time, or several that permit it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The locked file. Every process of the machine sees the same file, for each user, in each test
/// program and in each mount namespace. Nothing is written to it, and the kernel releases the lock
/// when a process ends.
const LOCKED: &str = "/proc/self/ns/user";
/// Longer than another project's test measures. After this time, the other process hangs.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a test may wait while others that tolerate each other overtake it.
const OVERTAKEN: Duration = Duration::from_secs(60);
/// How many tests that tolerate each other measure at a time: more would leave too little of the
/// CPUs to each.
const AT_ONCE: u32 = 3;
/// How long each process leaves the lock to others before it tries to take it.
const COURTESY: Duration = Duration::from_millis(10);

/// The tests of this process get their turns in the order in which they arrived: a lock that is
/// taken by whoever tries first can keep a test waiting until all others have ended.
static QUEUE: Mutex<Queue> =
    Mutex::new(Queue { arrived: 0, waiting: VecDeque::new(), tolerant: 0 });
static CHANGED: Condvar = Condvar::new();
static MACHINE: Mutex<()> = Mutex::new(());

struct Queue {
    arrived: u64,
    /// The tests that wait, with the time since when, in the order in which they arrived.
    waiting: VecDeque<(u64, Instant)>,
    /// How many tests that tolerate others measure now.
    tolerant: u32,
}

thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
    static BOOTED: RefCell<Option<MutexGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// What else may measure during a turn.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    None,
    Tolerant,
}

/// A shared or an exclusive lock, by `others`, until the end of the test.
struct Turn {
    others: Others,
    _lock: File,
}

/// Waits until no other test measures, and makes all others wait until the calling test ends: each
/// test has a separate thread. A test whose turn it already is continues immediately.
pub fn measure_alone() {
    take_turn(Others::None);
}

/// As [`measure_alone`], for a measurement that tolerates others (`--beside`): it waits only for
/// those that do not.
pub fn measure_beside_others() {
    take_turn(Others::Tolerant);
}

/// Waits until no other test of this process has a virtual machine, until the calling test ends: a
/// machine that counts instructions takes a CPU, of which measurements need the other.
pub fn boot_alone() {
    let free = || MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    BOOTED.with_borrow_mut(|booted| {
        booted.get_or_insert_with(free);
    });
}

fn take_turn(others: Others) {
    TURN.with_borrow_mut(|turn| {
        if turn.as_ref().is_none_or(|turn| turn.others != Others::None && turn.others != others) {
            // Released first: the lock would wait for itself.
            *turn = None;
            *turn = Some(Turn::awaited(others));
        }
    });
}

impl Turn {
    fn awaited(others: Others) -> Self {
        let mut queue = queue();
        let number = queue.arrived;
        queue.arrived += 1;
        queue.waiting.push_back((number, Instant::now()));
        // Tests that tolerate each other measure together, whoever waits between them.
        let must_wait = |queue: &mut Queue| {
            let Some((first, since)) = queue.waiting.front() else { return false };
            let has_company = (1..AT_ONCE).contains(&queue.tolerant);
            let may_overtake = has_company && since.elapsed() < OVERTAKEN;
            *first != number && !(others == Others::Tolerant && may_overtake)
        };
        let queue = CHANGED.wait_while(queue, must_wait);
        let mut queue = queue.unwrap_or_else(PoisonError::into_inner);
        queue.tolerant += u32::from(others == Others::Tolerant);
        drop(queue);
        // The next is served also if the file cannot be locked.
        let _served = Served(number);
        Self { others, _lock: locked(others) }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.others == Others::Tolerant {
            queue().tolerant -= 1;
            CHANGED.notify_all();
        }
    }
}

/// The number of a test that no longer waits when this is dropped.
struct Served(u64);

impl Drop for Served {
    fn drop(&mut self) {
        queue().waiting.retain(|(number, _)| *number != self.0);
        CHANGED.notify_all();
    }
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn locked(others: Others) -> File {
    static IMPATIENT: AtomicBool = AtomicBool::new(false);
    let file = File::open(LOCKED).expect("/proc is mounted");
    let try_lock = || match others {
        Others::None => file.try_lock(),
        Others::Tolerant => file.try_lock_shared(),
    };
    let give_up = Instant::now() + PATIENCE;
    sleep(COURTESY);
    while try_lock().is_err() && !IMPATIENT.load(Ordering::Relaxed) {
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
    fn one_test_at_a_time_measures_or_several_that_tolerate_others() {
        static ALONE: AtomicU32 = AtomicU32::new(0);
        static TOLERANT: AtomicU32 = AtomicU32::new(0);
        let alone = || {
            measure_beside_others();
            measure_alone();
            measure_beside_others();
            assert_eq!(ALONE.fetch_add(1, Ordering::SeqCst), 0);
            assert_eq!(TOLERANT.load(Ordering::SeqCst), 0);
            thread::yield_now();
            ALONE.fetch_sub(1, Ordering::SeqCst);
        };
        let tolerant = || {
            measure_beside_others();
            measure_beside_others();
            TOLERANT.fetch_add(1, Ordering::SeqCst);
            assert_eq!(ALONE.load(Ordering::SeqCst), 0);
            thread::yield_now();
            TOLERANT.fetch_sub(1, Ordering::SeqCst);
        };
        thread::scope(|scope| {
            for _ in 0..10 {
                let _ = Builder::new().spawn_scoped(scope, alone).unwrap();
                let _ = Builder::new().spawn_scoped(scope, tolerant).unwrap();
            }
        });
    }
}
