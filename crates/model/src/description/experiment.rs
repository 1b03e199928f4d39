//! What a model's author has run it with.

use roxmltree::Node;
use serde::Serialize;

use super::xml::{child, number};
use crate::Refused;

/// The experiment that a description proposes; each value where it is told.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Experiment {
    /// Where simulated time begins, in seconds.
    pub start: Option<f64>,
    /// Where it ends, in seconds.
    pub stop: Option<f64>,
    /// Step of the simulation, in seconds, above 0.
    pub step: Option<f64>,
    /// Relative tolerance of a solver with variable steps.
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

/// A duration; some programs write 0 where they mean none.
pub(super) fn seconds(node: Node, attribute: &str) -> Result<Option<f64>, Refused> {
    Ok(number(node, attribute)?.filter(|time: &f64| time.is_finite() && *time > 0.0))
}
