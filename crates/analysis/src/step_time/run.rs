//! A run of the tire, as input to the model.

use serde::Serialize;

use super::work::Work;

/// The mean step of one run, and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Run {
    #[serde(rename = "masses")]
    pub size: u64,
    pub threads: u64,
    pub cpus: u64,
    #[serde(flatten)]
    pub work: Work,
    /// Involuntary switches per step of the thread with the most.
    #[serde(rename = "switches_a_step")]
    pub switches: f64,
    /// From the first thread's start to the last one's end, in nanoseconds.
    pub step_ns: f64,
    /// The step time that the model predicts, if it could be fitted.
    pub predicted_ns: Option<f64>,
    /// What takes most of the step, if that is shown.
    pub limited_by: Option<&'static str>,
}
