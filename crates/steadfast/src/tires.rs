//! What a frontier and a map share: runs of the tire whose sizes a command chooses.

use anyhow::{Result, bail};
use plan::{Kind, RunSpec, Value};
use probe::Measurement;

use crate::parameters::ParameterArgs;

/// The papers' sizes are so far apart; both models need it.
pub(crate) const GRAIN: u64 = 4;

/// Refuses what was typed although the command sets it by itself: names, each with what
/// to type instead.
pub(crate) fn refuse(typed: &ParameterArgs, set: &[(&str, &str)]) -> Result<()> {
    for (name, why) in set {
        if typed.0.contains_key(name) {
            bail!("--{name}: {why}");
        }
    }
    Ok(())
}

/// The largest number of masses that a tire can have.
pub(crate) fn most_masses() -> u64 {
    let masses = tire().parameters().iter().find(|p| p.name == "masses");
    match masses.map(|parameter| parameter.kind) {
        Some(Kind::Count(_, most)) => most / GRAIN * GRAIN,
        _ => u64::MAX,
    }
}

/// The same run with other parameters, as long as these make it.
pub(crate) fn with<const N: usize>(spec: &RunSpec, values: [(&str, Value); N]) -> RunSpec {
    let mut spec = spec.clone();
    for (name, value) in values {
        spec.parameters.set(name, value);
    }
    spec.asked.duration = tire().length(&spec.parameters).time();
    spec
}

fn tire() -> &'static dyn Measurement {
    probe::find("tire").expect("the tire is one of the measurements")
}
