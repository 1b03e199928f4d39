//! The experiment that a model's author proposes.

use roxmltree::Node;
use serde::Serialize;

use super::xml::{child, number, seconds};
use crate::Refused;

/// The experiment that a description proposes; each value is `None` if it is not given.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Experiment {
    /// Simulated time at the start, in seconds; null if not stated.
    pub start: Option<f64>,
    /// Simulated time at the end, in seconds; null if not stated.
    pub stop: Option<f64>,
    /// Step size, in seconds; null if not stated.
    pub step: Option<f64>,
    /// Relative tolerance of a solver with variable steps; null if not stated.
    pub tolerance: Option<f64>,
}

pub(super) fn experiment(root: Node) -> Result<Experiment, Refused> {
    let Some(node) = child(root, "DefaultExperiment") else {
        return Ok(Experiment::default());
    };
    Ok(Experiment {
        start: number(node, "startTime")?.filter(|time: &f64| time.is_finite()),
        stop: number(node, "stopTime")?.filter(|time: &f64| time.is_finite()),
        step: seconds(node, "stepSize")?,
        tolerance: number(node, "tolerance")?,
    })
}
