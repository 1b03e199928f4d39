//! What is asked about: something that was late.

use units::Policy;

use crate::Counts;

/// Priorities from here on, as the kernel counts them, belong to the default policies.
pub const FIRST_ORDINARY: i64 = 100;

/// Something that was late.
#[derive(Debug, Clone, PartialEq)]
pub struct Late {
    /// Name of its thread.
    pub thread: String,
    /// The thread's number.
    pub number: i64,
    /// Which period.
    pub index: i64,
    /// When it was due (`CLOCK_MONOTONIC`, ns).
    pub due: i64,
    /// From when on its thread did its own work.
    pub start: i64,
    /// When it was done.
    pub end: i64,
    /// What its own work usually takes of this time, in nanoseconds; 0 or more.
    pub usual_ns: i64,
    /// The priority asked for, as the kernel counts; see [`Late::priority_of`].
    pub priority: i64,
    /// What the thread counted of itself.
    pub counts: Option<Counts>,
    /// Where it waited for its peers, by its own stamps.
    pub waits: Vec<Wait>,
    /// What belongs together, such as the threads of one step; the most disturbed one
    /// stands for all.
    pub group: Option<i64>,
}

/// A stretch of time in which a thread waited for its peers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    pub from: i64,
    /// The same.
    pub to: i64,
    /// For what: `lock`, `barrier`.
    pub on: &'static str,
}

impl Late {
    /// A policy's priority as the kernel counts: the smaller, the more important.
    #[must_use]
    pub fn priority_of(policy: Policy) -> i64 {
        match policy {
            Policy::Deadline { .. } => -1,
            Policy::Fifo(priority) | Policy::Rr(priority) => 99 - i64::from(priority),
            Policy::Idle => 120,
            Policy::Other { nice, .. } => 120 + i64::from(nice.unwrap_or(0)),
        }
    }

    /// Whether its policy is one of those that share a CPU by weight.
    pub(crate) fn shares_by_weight(&self) -> bool {
        self.priority >= FIRST_ORDINARY
    }

    /// How much longer than usual it took.
    pub(crate) fn excess(&self) -> i64 {
        (self.end - self.due - self.usual_ns).max(0)
    }
}
