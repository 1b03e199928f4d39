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

/// The knobs of which no rehearsal was valid, for a reason of theirs.
#[must_use]
pub fn left_out(groups: &[Group]) -> Vec<LeftOut> {
    let rehearsed = groups.iter().filter(|group| group.stage == Stage::Rehearsal);
    let refused = rehearsed.filter(|group| !group.runs.iter().any(|run| run.is_valid()));
    let told = |group: &Group| {
        let why = group.runs.last()?.warnings.iter().find(|one| is_of_a_knob(one))?;
        Some(LeftOut { name: group.names().concat(), why: why.cause() })
    };
    refused.filter_map(told).collect()
}

fn is_of_a_knob(warning: &Warning) -> bool {
    matches!(
        warning,
        Warning::KnobRefused { .. }
            | Warning::KnobDiffers { .. }
            | Warning::KnobOverridden { .. }
            | Warning::KnobChanged { .. }
    )
}
