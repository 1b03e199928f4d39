//! Knobs that could not be set.

use plan::Warning;
use serde::Serialize;

use super::stage::{Group, Stage};

#[derive(Debug, Clone, Serialize)]
pub struct LeftOut {
    pub name: String,
    pub why: String,
}

/// Returns the knobs whose rehearsals were all INVALID for a reason of their own.
pub fn left_out(groups: &[Group]) -> Vec<LeftOut> {
    let rehearsed = groups.iter().filter(|group| group.stage == Stage::Rehearsal);
    let refused = rehearsed.filter(|group| !group.runs.iter().any(|run| run.is_valid()));
    let knob = |group: &Group| {
        let why = group.runs.last()?.warnings.iter().find(|one| is_of_a_knob(one))?;
        Some(LeftOut { name: group.names().concat(), why: why.cause() })
    };
    refused.filter_map(knob).collect()
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
