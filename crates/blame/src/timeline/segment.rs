//! Stretches of a window, and what each went into.

use crate::{Cause, SomeTask};

/// A stretch of a window in which one thing held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    pub from: i64,
    /// The same.
    pub to: i64,
    /// What held.
    pub what: Held,
}

/// What a stretch of time went into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The thread itself ran.
    Own,
    /// The kernel worked for the thread, in the system call of this name.
    Called(String),
    /// The thread waited within its work, for this.
    Waited(String),
    /// Something that it had no part in.
    By(Cause),
    /// Not yet known: what follows tells.
    Open(Open),
}

/// What is seen of a stretch whose cause only what follows tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// The thread slept although its time had come.
    NotWoken {
        /// Who had the CPU; none: nobody.
        on_cpu: Option<SomeTask>,
        /// Whether that one switched next: no interrupt had come.
        switches: bool,
    },
    /// The CPU was idle although the thread was to run.
    Idle,
    /// A less important task ran although the thread was to run.
    Lesser(SomeTask),
    /// A task ran that shares the CPU with the thread by weight.
    Peer(SomeTask),
}
