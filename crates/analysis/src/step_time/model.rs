//! A model of step times, and what it was fitted to.

use super::capacity::Capacity;
use super::fit::{Fit, Refusal};
use super::work::{Run, Way, Work};
use plan::RunSpec;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::capacity::shared;

/// Runs of a system that differ only in size and threads, and the model fitted to them.
#[derive(Debug, Serialize)]
pub struct Model<'a> {
    pub system: String,
    pub(super) machine_id: String,
    /// The specification of any of the runs.
    #[serde(flatten, serialize_with = "shared")]
    pub spec: &'a RunSpec,
    pub runs: Vec<Run>,
    #[serde(flatten, serialize_with = "told")]
    pub fit: Result<Fit, Refusal>,
    #[serde(rename = "last_cache_bytes")]
    pub cache_bytes: Option<u64>,
    /// Its predictions for its rate, one per number of threads; empty if it could not be fitted.
    pub capacities: Vec<Capacity>,
}

fn told<S: Serializer>(fit: &Result<Fit, Refusal>, serializer: S) -> Result<S::Ok, S::Error> {
    let (fit, refusal) = (fit.as_ref().ok(), fit.as_ref().err());
    let told = json!({
        "refused": refusal,
        "coefficients": fit.map(Fit::coefficients),
        "typical_error": fit.map(|fit| fit.typical_error),
        "worst_error": fit.map(|fit| fit.worst_error),
    });
    told.serialize(serializer)
}

impl Model<'_> {
    /// Without involuntary switches, on as many CPUs as runs with this number of threads had.
    pub(super) fn undisturbed(&self, size: u64, threads: u64) -> (Work, f64) {
        let same = self.runs.iter().filter(|run| run.threads == threads);
        let way = Way {
            spec: self.spec,
            cpus: same.map(|run| run.cpus).max().unwrap_or(threads),
            cache_bytes: self.cache_bytes,
        };
        (way.work(size, threads), 0.0)
    }
}
