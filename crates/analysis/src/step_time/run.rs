//! A run of the tire as the model sees it.

use serde::Serialize;

use super::work::Work;

/// The mean step of one run, and what it was made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Run {
    /// The size of the tire.
    #[serde(rename = "masses")]
    pub size: u64,
    /// Number of threads.
    pub threads: u64,
    /// CPUs that the threads had.
    pub cpus: u64,
    /// What a step is made of.
    #[serde(flatten)]
    pub work: Work,
    /// Involuntary switches a step of the thread that had most.
    #[serde(rename = "switches_a_step")]
    pub switches: f64,
    /// From the first thread's start to the last one's end, in nanoseconds.
    pub step_ns: f64,
    /// The same as the model has it, where it could be fitted.
    pub predicted_ns: Option<f64>,
    /// What takes most of the step, where that is shown.
    pub limited_by: Option<&'static str>,
}
