//! What a frontier and a map share: runs of the tire whose sizes a command chooses.

use anyhow::{Result, bail};
use clap::Args;
use plan::{Kind, RunSpec, Size, Value};
use probe::Measurement;

use crate::args::{ConditionArgs, PlaceArgs};
use crate::command::run::args::{RunArgs, parse_run_line};
use crate::kept::KeptArgs;
use crate::parameters::ParameterArgs;

/// The papers' sizes are so far apart; both models need it.
pub(crate) const GRAIN: u64 = 4;

/// What makes a tire larger, and what that is counted in.
pub(crate) const SIZE: Size = Size::MASSES;

/// Of a command that chooses the sizes of its tires.
#[derive(Debug, Args)]
pub(crate) struct TireArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl TireArgs {
    /// Whether a parameter is typed.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parameters.0.contains_key(name)
    }

    /// What would be typed after `steadfast run`, as that line and these arguments say. What
    /// was typed although the command sets it by itself is refused: names, each with what to
    /// type instead.
    pub(crate) fn typed(&self, line: &str, set: &[(&str, &str)]) -> Result<RunArgs> {
        if let Some((name, why)) = set.iter().find(|(name, _)| self.has(name)) {
            bail!("--{name}: {why}");
        }
        let mut typed = parse_run_line(line)?;
        typed.place = self.place.clone();
        typed.conditions = self.conditions.clone();
        typed.parameters.0.extend(self.parameters.0.clone());
        Ok(typed)
    }
}

/// The largest size that a tire can have.
pub(crate) fn largest() -> u64 {
    let size = tire()
        .parameters()
        .iter()
        .find(|p| p.name == SIZE.parameter);
    match size.map(|parameter| parameter.kind) {
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
