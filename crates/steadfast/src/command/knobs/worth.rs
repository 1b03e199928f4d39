//! The measured effects of knobs on each machine, kept in the user's data folder, so that the
//! doctor can quote them with its advice.

use std::collections::BTreeMap;

use analysis::experiment::{Experiment, Trust};
use anyhow::Result;
use plan::Machine;
use serde_json::json;

use crate::newest;

/// The name of the folder, also used in messages.
const KIND: &str = "worth of knobs";

/// The effect of each knob on a machine, in words, by its name.
pub(crate) type Worth = BTreeMap<String, String>;

/// Keeps the effects that an experiment shows, next to earlier ones of other knobs.
pub(super) fn keep(experiment: &Experiment, machine: &Machine) -> Result<()> {
    if experiment.trust != Trust::Believed {
        return Ok(());
    }
    let mut worth = of(machine);
    let knobs = experiment.knobs.iter();
    worth.extend(knobs.map(|knob| {
        (
            knob.name.clone(),
            format!("{}, by an experiment with {}", report::effects(&knob.effects), experiment.of),
        )
    }));
    newest::keep(KIND, &machine.id(), &json!(worth))
}

pub(crate) fn of(machine: &Machine) -> Worth {
    newest::newest(KIND, &machine.id()).unwrap_or_default()
}
