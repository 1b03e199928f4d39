//! A model of step times, and what it was fitted to.

use super::capacity::Capacity;
use super::fit::{Fit, Refusal};
use super::run::Run;
use super::work::{Way, Work};
use plan::RunSpec;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::capacity::shared;

/// Runs of a system that differ in size and threads alone, and what was fitted to them.
#[derive(Debug, Serialize)]
pub struct Model<'a> {
    /// The system's name.
    pub system: String,
    pub(super) machine_id: String,
    /// The specification of one of the runs.
    #[serde(flatten, serialize_with = "shared")]
    pub spec: &'a RunSpec,
    /// What was measured.
    pub runs: Vec<Run>,
    /// Coefficients, or why there are none.
    #[serde(flatten, serialize_with = "told")]
    pub fit: Result<Fit, Refusal>,
    /// How many bytes the last cache holds, where the machine tells.
    #[serde(rename = "last_cache_bytes")]
    pub cache_bytes: Option<u64>,
    /// What it predicts for its rate, one for each number of threads; nothing where it could
    /// not be fitted.
    pub capacities: Vec<Capacity>,
}

fn told<S: Serializer>(fit: &Result<Fit, Refusal>, serializer: S) -> Result<S::Ok, S::Error> {
    let (fit, refusal) = (fit.as_ref().ok(), fit.as_ref().err());
    let told = json!({
        "refused": refusal.map(ToString::to_string),
        "coefficients": fit.map(Fit::coefficients),
        "typical_error": fit.map(|fit| fit.typical_error),
        "worst_error": fit.map(|fit| fit.worst_error),
    });
    told.serialize(serializer)
}

impl Model<'_> {
    /// A step of that size on so many threads without an involuntary switch, on as
    /// many CPUs as runs with these threads had.
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
