//! Knobs that could not be set.

use plan::Warning;
use serde::Serialize;

use super::stage::{Group, Stage};

/// A knob that could not be set.
#[derive(Debug, Clone, Serialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why not.
    pub why: String,
}

/// The knobs of which no rehearsal was valid.
#[must_use]
pub fn left_out(groups: &[Group]) -> Vec<LeftOut> {
    let rehearsed = groups
        .iter()
        .filter(|group| group.stage == Stage::Rehearsal);
    let refused = rehearsed.filter(|group| !group.runs.iter().any(|run| run.is_valid()));
    let told = |group: &Group| {
        let last = group.runs.last().map_or(&[][..], |run| &run.warnings);
        let why = last.iter().find(|warning| warning.invalidates());
        LeftOut {
            name: group.names().concat(),
            why: why.map_or_else(String::new, Warning::cause),
        }
    };
    refused.map(told).collect()
}
