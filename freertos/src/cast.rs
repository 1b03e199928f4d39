//! Tasks that play a test together.

use alloc::boxed::Box;
use core::hint::black_box;

use freertos_next::{CurrentTask, Duration, Task, TaskNotification, TaskPriority};

/// Priorities, the idle task's being 0.
pub const LOW: u8 = 1;
pub const MEDIUM: u8 = 2;
pub const HIGH: u8 = 3;
/// Of the task that starts the others: it waits while they play.
pub const CONDUCTOR: u8 = 4;

/// A task's priority and its part.
pub type Part = (u8, Box<dyn FnOnce() + Send>);

/// A part of that priority.
pub fn part(priority: u8, play: impl FnOnce() + Send + 'static) -> Part {
    (priority, Box::new(play))
}

/// Lets all parts be played, and waits until each has ended.
pub fn play<const N: usize>(parts: [Part; N]) {
    let conductor = Task::current().expect("a task asks");
    for (priority, play) in parts {
        let conductor = conductor.clone();
        let task = Task::new()
            .priority(TaskPriority(priority))
            .start(move |_| {
                play();
                conductor.notify(TaskNotification::Increment);
            });
        task.expect("there is room for the tasks of a test");
    }
    for _ in 0..N {
        CurrentTask::take_notification(false, forever());
    }
    // The idle task gives back the memory of those that ended.
    CurrentTask::delay(Duration::ticks(2));
}

/// A wait without an end.
#[inline(always)]
pub fn forever() -> Duration {
    Duration::ticks(u32::MAX)
}

/// Work that touches nothing.
#[inline(never)]
pub fn work(iterations: u32) {
    for iteration in 0..iterations {
        black_box(iteration);
    }
}
