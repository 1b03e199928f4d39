//! Preemption of a busy task by one of higher priority: that sleeps until the
//! kernel's next tick, or that waits for a semaphore which the busy one posts.

use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use freertos_next::{CurrentTask, Duration, Semaphore};

use crate::board::{self, Serial};
use crate::cast::{HIGH, LOW, forever, part, play, work};
use crate::samples::Samples;

/// A tick of the kernel is 1 ms.
const WAKES: usize = 1_000;
const WORK: u32 = 100;

static LATENCIES: Samples = Samples::new();

pub fn run(to: &mut Serial) -> fmt::Result {
    by_timer();
    LATENCIES.tell("preemption_by_timer", to)?;
    by_semaphore();
    LATENCIES.tell("preemption_by_semaphore", to)
}

/// From the moment at which the tick was due to the task.
fn by_timer() {
    let over = Arc::new(AtomicBool::new(false));
    let busy = Arc::clone(&over);
    play([
        part(HIGH, move || {
            for _ in 0..WAKES {
                CurrentTask::delay(Duration::ticks(1));
                LATENCIES.push(board::since_kernel_tick());
            }
            over.store(true, Relaxed);
        }),
        part(LOW, move || {
            while !busy.load(Relaxed) {
                work(WORK);
            }
        }),
    ]);
}

fn by_semaphore() {
    let semaphore = Arc::new(Semaphore::new_binary().expect("there is room"));
    let posted = Arc::clone(&semaphore);
    let asked = Arc::new(AtomicU32::new(0));
    let told = Arc::clone(&asked);
    play([
        part(HIGH, move || {
            for _ in 0..Samples::ROOM {
                if semaphore.take(forever()).is_ok() {
                    LATENCIES.push(board::now().wrapping_sub(told.load(Relaxed)));
                }
            }
        }),
        part(LOW, move || {
            for _ in 0..Samples::ROOM {
                work(WORK);
                asked.store(board::now(), Relaxed);
                posted.give();
            }
        }),
    ]);
}
