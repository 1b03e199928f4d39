//! Deadlock break: low holds a mutex that high wants while medium would starve low;
//! the kernel breaks it, since its mutexes pass priorities on. The same lock without
//! a contest besides.

use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use freertos_next::{CurrentTask, Duration, Mutex, Semaphore};

use crate::board::{self, Serial, TICK_NS};
use crate::cast::{HIGH, LOW, MEDIUM, forever, part, play, work};
use crate::samples::Samples;

const TRIALS: usize = 100;
/// What low works while it holds the mutex: 1 ms of its own time.
const HOLD_TICKS: u32 = 1_000_000 / TICK_NS;
/// How much longer medium works.
const MEDIUM_SHARE: u32 = 2;

static CONTENDED: Samples = Samples::new();
static FREE: Samples = Samples::new();

pub fn run(to: &mut Serial) -> fmt::Result {
    let hold = iterations(HOLD_TICKS);
    play([part(HIGH, lock_freely)]);
    contest(hold);
    CONTENDED.tell("deadlock_break_contended", to)?;
    FREE.tell("deadlock_break_free", to)
}

/// How often `work` loops in so many ticks.
fn iterations(ticks: u32) -> u32 {
    const TRIED: u32 = 10_000;
    let before = board::now();
    work(TRIED);
    let took = board::now().wrapping_sub(before).max(1);
    (u64::from(TRIED) * u64::from(ticks) / u64::from(took)) as u32
}

fn lock_freely() {
    let mutex = Mutex::new(()).expect("there is room");
    for _ in 0..TRIALS {
        let wish = board::now();
        let held = mutex.lock(forever());
        FREE.push(board::now().wrapping_sub(wish));
        drop(held);
    }
}

fn contest(hold: u32) {
    let mutex = Arc::new(Mutex::new(()).expect("there is room"));
    let semaphore = || Arc::new(Semaphore::new_binary().expect("there is room"));
    let (call_high, call_medium) = (semaphore(), semaphore());
    let wish = Arc::new(AtomicU32::new(0));
    let high = {
        let (mutex, called, wish) = (mutex.clone(), call_high.clone(), wish.clone());
        part(HIGH, move || {
            for _ in 0..TRIALS {
                let _ = called.take(forever());
                let held = mutex.lock(forever());
                CONTENDED.push(board::now().wrapping_sub(wish.load(Relaxed)));
                drop(held);
            }
        })
    };
    let medium = {
        let called = call_medium.clone();
        part(MEDIUM, move || {
            for _ in 0..TRIALS {
                let _ = called.take(forever());
                work(MEDIUM_SHARE * hold);
            }
        })
    };
    let low = part(LOW, move || {
        for _ in 0..TRIALS {
            let held = mutex.lock(forever());
            wish.store(board::now(), Relaxed);
            call_high.give();
            call_medium.give();
            work(hold);
            drop(held);
            // Not always at the same place of the kernel's tick.
            CurrentTask::delay(Duration::ticks(1));
        }
    });
    play([high, medium, low]);
}
