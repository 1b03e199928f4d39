//! A measured value.

/// One measured value with its place in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The value in nanoseconds; below zero where something came early.
    pub value_ns: i64,
    /// Position in the run's own order (period, step, iteration), from 0.
    pub index: u64,
    /// When it happened, in nanoseconds after the run's start.
    pub at_ns: u64,
}

/// A smallest or largest sample: exact, with where it happened.
pub type Extreme = Sample;
