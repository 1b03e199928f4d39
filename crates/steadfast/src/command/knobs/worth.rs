//! What knobs were shown to be worth on each machine, in the user's data folder, so that the doctor
//! can tell it with its advice.

use std::collections::BTreeMap;

use analysis::experiment::{Experiment, Trust, in_words};
use anyhow::Result;
use plan::Machine;
use serde_json::json;

use crate::newest;

/// What the folder and its messages call it.
const KIND: &str = "worth of knobs";

/// What each knob does on a machine, in words, by its name.
pub(crate) type Worth = BTreeMap<String, String>;

/// Keeps what an experiment shows, beside what earlier ones showed of other knobs.
pub(super) fn keep(told: &Experiment, machine: &Machine) -> Result<()> {
    if told.trust != Trust::Believed {
        return Ok(());
    }
    let mut worth = of(machine);
    let knobs = told.knobs.iter();
    worth.extend(knobs.map(|knob| {
        (knob.name.clone(), format!("{}, by an experiment with {}", in_words(knob), told.of))
    }));
    newest::keep(KIND, &machine.id(), &json!(worth))
}

/// What is known of a machine.
pub(crate) fn of(machine: &Machine) -> Worth {
    let kept = newest::newest(KIND, &machine.id());
    kept.and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default()
}
