//! Task switch: two tasks of equal priority, each loops on a yield; from the stamp
//! before one task's yield to the stamp after the other's.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use freertos_next::CurrentTask;

use crate::board::{self, Serial};
use crate::cast::{HIGH, part, play};
use crate::samples::Samples;

static SWITCHES: Samples = Samples::new();
/// Yields from which the same task came back.
static NOT_SWITCHED: Samples = Samples::new();
/// The last stamp before a yield, and whose it was.
static YIELDED: AtomicU32 = AtomicU32::new(0);
static YIELDER: AtomicU32 = AtomicU32::new(0);

pub fn run(to: &mut Serial) -> fmt::Result {
    play([part(HIGH, || yield_on(1)), part(HIGH, || yield_on(2))]);
    SWITCHES.tell("task_switch", to)?;
    writeln!(to, "count yields_without_switch {}", NOT_SWITCHED.count())
}

fn yield_on(me: u32) {
    for _ in 0..Samples::ROOM / 2 {
        YIELDED.store(board::now(), Relaxed);
        YIELDER.store(me, Relaxed);
        CurrentTask::yield_now();
        let after = board::now();
        match YIELDER.load(Relaxed) == me {
            true => NOT_SWITCHED.push(0),
            false => SWITCHES.push(after.wrapping_sub(YIELDED.load(Relaxed))),
        }
    }
}
