//! The Rhealstone times on FreeRTOS: each test in turn, then its times in clear text
//! on the serial port, then the end.
//!
//! One line a test: its name and its times, in ticks of the clock. Definitions are
//! those of the program's own measurements (docs/measurements.md).

#![no_std]
#![no_main]

extern crate alloc;

mod board;
mod cast;
mod contest;
mod messages;
mod preemption;
mod samples;
mod semaphore;
mod switch;
mod timer;

use core::fmt::{self, Write};
use core::panic::PanicInfo;

use board::Serial;
use cortex_m_rt::entry;
use freertos_next::{FreeRtosAllocator, FreeRtosUtils, Task, TaskPriority};

#[global_allocator]
static HEAP: FreeRtosAllocator = FreeRtosAllocator;

/// The first line: the format and its version.
const FORMAT: &str = "steadfast-freertos 1";
const KERNEL: &str = "FreeRTOS V11.2.0";
/// The last line.
const END: &str = "end";

/// Makes a test and writes the lines of its times.
type Test = fn(&mut Serial) -> fmt::Result;

const TESTS: [Test; 6] = [
    switch::run,
    preemption::run,
    timer::run,
    semaphore::run,
    contest::run,
    messages::run,
];

#[entry]
fn main() -> ! {
    board::start();
    let conductor = Task::new()
        .priority(TaskPriority(cast::CONDUCTOR))
        .start(|_| conduct());
    conductor.expect("there is room for the first task");
    FreeRtosUtils::start_scheduler()
}

fn conduct() {
    tell(&mut Serial).expect("a serial port takes everything");
    board::end();
}

fn tell(to: &mut Serial) -> fmt::Result {
    writeln!(to, "{FORMAT}\nkernel {KERNEL}\ntick_ns {}", board::TICK_NS)?;
    for test in TESTS {
        test(to)?;
    }
    writeln!(to, "{END}")
}

#[panic_handler]
fn panic(why: &PanicInfo) -> ! {
    // Nothing is left to do where even this fails.
    let _ = writeln!(Serial, "failed {why}");
    board::end()
}
