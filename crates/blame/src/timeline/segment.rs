//! Segments of a window, and what the time of each was spent on.

use crate::{Cause, SomeTask};

/// A stretch of a window in which the same thing held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Start and end, `CLOCK_MONOTONIC`, in nanoseconds.
    pub from: i64,
    pub to: i64,
    pub what: Held,
}

impl Segment {
    /// Returns the length in nanoseconds.
    pub(crate) fn time(&self) -> i64 {
        self.to - self.from
    }
}

/// What a stretch of time was spent on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The thread itself ran.
    Own,
    /// The kernel worked for the thread, in the system call of this name.
    Called(String),
    /// The thread waited within its work for the named thing.
    Waited(String),
    /// A cause outside the thread had the time.
    By(Cause),
    /// Not decided yet: later events show the cause.
    Open(Open),
}

/// What is observed in a stretch whose cause only later events show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// The thread slept although its time had come, while this task had the CPU or it was idle.
    /// `switches` if that task was switched off next: no interrupt had come.
    NotWoken { on_cpu: Option<SomeTask>, switches: bool },
    /// The thread waited in the kernel, which does not report the reason.
    InTheKernel,
    /// The CPU was idle although the thread was to run.
    Idle,
    /// A task of lesser priority, as far as its priority is known, ran although the thread was to
    /// run; `is_chosen` if the kernel switched to it in the meantime.
    Lesser { task: SomeTask, is_chosen: bool },
    /// A task ran that shares the CPU with the thread by weight.
    Peer(SomeTask),
}
