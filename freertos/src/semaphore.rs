//! Semaphore shuffle: two tasks of equal priority share a variable that one binary
//! semaphore guards; the time to take it, where it was free and where it was not.

use alloc::sync::Arc;
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use freertos_next::{CurrentTask, Duration, Semaphore};

use crate::board::{self, Serial};
use crate::cast::{HIGH, forever, part, play};
use crate::samples::Samples;

static CONTENDED: Samples = Samples::new();
static UNCONTENDED: Samples = Samples::new();
static SHARED: AtomicU32 = AtomicU32::new(0);

pub fn run(to: &mut Serial) -> fmt::Result {
    let semaphore = Arc::new(Semaphore::new_binary().expect("there is room"));
    // FreeRTOS creates it taken.
    semaphore.give();
    let other = Arc::clone(&semaphore);
    play([
        part(HIGH, move || shuffle(&semaphore)),
        part(HIGH, move || shuffle(&other)),
    ]);
    CONTENDED.tell("semaphore_shuffle_contended", to)?;
    UNCONTENDED.tell("semaphore_shuffle_uncontended", to)?;
    writeln!(to, "count rounds {}", SHARED.load(Relaxed))
}

fn shuffle(semaphore: &Semaphore) {
    for round in 0..Samples::ROOM / 2 {
        let wish = board::now();
        let free = semaphore.take(Duration::zero()).is_ok();
        if !free && semaphore.take(forever()).is_err() {
            continue;
        }
        let waited = board::now().wrapping_sub(wish);
        // Not in one step: the semaphore is what keeps it whole.
        let shared = SHARED.load(Relaxed);
        if round % 2 == 1 {
            CurrentTask::yield_now();
        }
        SHARED.store(shared + 1, Relaxed);
        match free {
            true => UNCONTENDED.push(waited),
            false => CONTENDED.push(waited),
        }
        semaphore.give();
        CurrentTask::yield_now();
    }
}
