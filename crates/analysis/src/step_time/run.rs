//! A run of the tire as the model sees it.

use super::work::Work;

/// The mean step of one run, and what it was made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Masses of the tire.
    pub masses: u64,
    /// Number of threads.
    pub threads: u64,
    /// CPUs that the threads had.
    pub cpus: u64,
    /// What a step is made of.
    pub work: Work,
    /// Involuntary switches a step of the thread that had most.
    pub switches: f64,
    /// From the first thread's start to the last one's end, in nanoseconds.
    pub step_ns: f64,
}
