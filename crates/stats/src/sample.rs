//! A measured value.

/// One measured value with its place in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The value in nanoseconds; below zero if an event came early.
    pub value_ns: i64,
    /// Index in the run's order (period, step, iteration), from 0.
    pub index: u64,
    /// Time of the event, in nanoseconds after the run's start.
    pub at_ns: u64,
}
