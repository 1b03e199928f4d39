//! The size whose step takes a period, as the step-time model predicts, compared with where misses
//! began.

use serde::{Serialize, Serializer};
use serde_json::json;
use stats::frontier::Edge;

use super::fit::Prediction;

/// A prediction for one number of threads.
#[derive(Debug, Serialize)]
pub struct Capacity {
    pub threads: u64,
    pub period_ns: f64,
    /// The largest size whose mean step ends within the period; `None` if no size takes that long.
    #[serde(rename = "masses")]
    pub size: Option<u64>,
    /// From this size on, the step of a run may take longer than the period, at 95 % confidence.
    pub lower: Option<u64>,
    /// Above this size, it takes longer.
    pub upper: Option<u64>,
    #[serde(flatten, serialize_with = "parts")]
    pub step: Option<Prediction>,
    #[serde(flatten, serialize_with = "beside")]
    pub measured: Edge,
}

fn parts<S: Serializer>(step: &Option<Prediction>, serializer: S) -> Result<S::Ok, S::Error> {
    let limited_by = step.as_ref().and_then(Prediction::limit);
    let shares = step.as_ref().map(Prediction::shares);
    json!({ "limited_by": limited_by, "shares": shares }).serialize(serializer)
}

fn beside<S: Serializer>(measured: &Edge, serializer: S) -> Result<S::Ok, S::Error> {
    let (clean, first) = (measured.held, measured.missed);
    json!({ "measured_no_miss_up_to": clean, "measured_first_miss": first }).serialize(serializer)
}
