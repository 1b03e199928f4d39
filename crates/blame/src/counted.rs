//! Causes by what the kernel counts in every run, also without a search for causes.

use serde::{Deserialize, Serialize};

use crate::Cause;

/// One of the latest samples of a thread, and what the kernel's counters say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    pub thread: String,
    /// The CPU of the thread, if it may run on only one.
    pub cpu: Option<u32>,
    /// When it was due (`CLOCK_MONOTONIC`, ns).
    pub due_ns: i64,
    /// Time from due to done, in nanoseconds.
    pub took_ns: i64,
    /// Causes of which each explains at least half of the lateness, and their times in nanoseconds,
    /// the largest first. Empty if the counters show no cause.
    pub shares: Vec<(Cause, i64)>,
}
