//! The parameters of a tire.

use bench::pace::Overrun;
use record::{Mode, NOWHERE, Parameters, RunSpec, parameters};
use tire::{BarrierKind, Error, Model, Precision, Setup};

use crate::instructions::{self, INSTRUCTIONS};
use crate::model::warm_up;

/// Names of solvers and barriers; a test compares them with the tire's own tables.
const SOLVERS: &[&str] = &["semaphore", "semaphore-exact", "two-phase", "barrier", "simd", "fused"];

parameters! {
    pub(super) PARAMETERS;
    "mode" Choice(Mode::NAMES), Mode::RealFast.name(),
        "as many steps as possible, or one step per period";
    "model" Choice(Model::NAMES), "balanced", "ring braced across, or by a hub";
    "masses" Count(4, 100_000_000), "5900", "masses of the ring, a multiple of 4";
    "threads" Threads(1024), "cores", "threads that share the ring";
    "solver" Choice(SOLVERS), "semaphore", "how the step is computed";
    "precision" Choice(Precision::NAMES), "f64", "floating-point type of the tire";
    "instructions" Choice(INSTRUCTIONS), "best",
        "vector instructions of simd and fused: the best set of the processor, or a named one";
    "barrier" Choice(BarrierKind::NAMES), "spin",
        "how threads wait for each other, if the solver has a barrier";
    "substeps" Count(1, 10_000), "1", "internal steps per step; the papers use 1";
    "rate" Rate, "100Hz", "steps per second in a real-time run";
    "warm-up" Text(warm_up::FORM), NOWHERE,
        "how long before a real-time step its threads wake up to read their state or the clock";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what a real-time run does after a step that ended too late";
    "steps" Count(1, 100_000_000), "600",
        "steps of 10 ms simulated time; in a real-time run, periods";
    "watch" Peer(&[NOWHERE]), NOWHERE,
        "address of `steadfast watch`, which shows a real-time run live";
    "radius" Number("m"), "0.3", "radius of the undeformed ring";
    "mass" Number("kg"), "0.001", "mass of one point mass";
    "stiffness" Number("N/m"), "1", "stiffness of one spring-damper";
    "damping" Number("N s/m"), "0.015", "damping of one spring-damper";
    "gravity" Number("m/s2"), "9.81", "gravity, downwards";
    "drop" Number("m"), "1", "height of the lowest mass above the floor at the start";
    "restitution" Number(""), "0.5",
        "share of its speed that a mass keeps when it leaves the floor, 0 to 1";
}

pub(super) fn setup(spec: &RunSpec) -> Result<Setup, String> {
    let parameters = &spec.parameters;
    Ok(Setup {
        model: Model::named(parameters.model()).unwrap_or_default(),
        masses: parameters.masses() as usize,
        threads: parameters.threads() as usize,
        solver: tire::solver(parameters.solver()).map_err(|error| with_flag(&error))?,
        precision: Precision::named(parameters.precision()).unwrap_or_default(),
        barrier: BarrierKind::named(parameters.barrier()).unwrap_or_default(),
        instructions: instructions::asked(parameters)?,
        substeps: parameters.substeps() as u32,
        parameters: physical(parameters),
    })
}

fn physical(parameters: &Parameters) -> tire::Parameters {
    tire::Parameters {
        radius: parameters.radius(),
        mass: parameters.mass(),
        stiffness: parameters.stiffness(),
        damping: parameters.damping(),
        gravity: parameters.gravity(),
        drop: parameters.drop_height(),
        restitution: parameters.restitution(),
        ..tire::Parameters::default()
    }
}

/// Adds the option that fixes a tire's error to its message.
pub(super) fn with_flag(error: &Error) -> String {
    let flag = match error {
        Error::Masses(_) | Error::Semaphores { .. } => "--masses",
        Error::Threads { .. } => "--threads",
        Error::Solver { .. } => "--solver",
        Error::Model { .. } => "--model",
        Error::Range { .. } | Error::Unstable { .. } => return format!("--{error}"),
        _ => return error.to_string(),
    };
    format!("{flag}: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_tire_are_all_here() {
        assert_eq!(tire::SOLVERS.map(tire::Solver::name), SOLVERS);
    }

    #[test]
    fn the_defaults_are_those_of_the_tire() {
        let defaults = Parameters::defaults(PARAMETERS);
        assert_eq!(physical(&defaults), tire::Parameters::default());
    }
}
