//! The comparison as JSON, alone and beside all runs.

use serde_json::Value;

use super::{Comparison, contrasts};
use crate::json::of_systems;

/// The comparison as one document.
#[must_use]
pub fn json(comparison: &Comparison) -> Value {
    contrasts::told(comparison)
}

/// The document on all runs, with the comparison in it.
#[must_use]
pub fn with_runs(comparison: &Comparison) -> Value {
    let runs = comparison.outcomes();
    let mut document = of_systems(&comparison.systems, runs, comparison.standards);
    document["comparison"] = json(comparison);
    document
}
