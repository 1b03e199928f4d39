//! Interrupt: from the expiry of a timer of the board to its handler, and to the task
//! that waits for it.

use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use alloc::boxed::Box;

use freertos_next::{InterruptContext, Semaphore};

use crate::board::{self, Serial};
use crate::cast::{HIGH, forever, part, play};
use crate::samples::Samples;

static TO_TASK: Samples = Samples::new();
static TO_HANDLER: Samples = Samples::new();
/// What the handler posts; set before the timer starts, and kept for ever.
static EXPIRED: AtomicPtr<Semaphore> = AtomicPtr::new(core::ptr::null_mut());

pub fn run(to: &mut Serial) -> fmt::Result {
    let expired: &'static mut Semaphore =
        Box::leak(Box::new(Semaphore::new_binary().expect("there is room")));
    EXPIRED.store(expired, Relaxed);
    play([part(HIGH, || {
        board::start_timer();
        for _ in 0..Samples::ROOM {
            if expired.take(forever()).is_ok() {
                TO_TASK.push(board::since_expiry());
            }
        }
        board::stop_timer();
    })]);
    TO_TASK.tell("interrupt", to)?;
    TO_HANDLER.tell("interrupt_to_handler", to)
}

/// The handler of the timer's interrupt.
#[unsafe(no_mangle)]
extern "C" fn TIMER0() {
    TO_HANDLER.push(board::since_expiry());
    board::acknowledge_timer();
    let mut context = InterruptContext::new();
    // SAFETY: null, or a semaphore that is never freed and only shared.
    if let Some(expired) = unsafe { EXPIRED.load(Relaxed).as_ref() } {
        expired.give_from_isr(&mut context);
    }
}
