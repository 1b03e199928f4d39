//! What can be asked of a tire.

use plan::{Kind, NOWHERE, Parameter, Parameters, RunSpec};
use tire::{BarrierKind, Error, Setup};

use crate::model::REAL_TIME;
use crate::pace::Overrun;

/// Names of the tire's solvers, and of its barriers; a test holds them against
/// the tire's own tables.
const SOLVERS: &[&str] = &["semaphore", "semaphore-exact", "barrier", "simd", "fused"];
const BARRIERS: &[&str] = &["spin", "futex", "pthread"];

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "mode",
        kind: Kind::Choice(&["real-fast", REAL_TIME]),
        default: "real-fast",
        help: "as many steps as possible, or one step a period",
    },
    Parameter {
        name: "model",
        kind: Kind::Choice(&["balanced", "central"]),
        default: "balanced",
        help: "ring braced across, or by a hub",
    },
    Parameter {
        name: "masses",
        kind: Kind::Count(4, 100_000_000),
        default: "5900",
        help: "masses of the ring, a multiple of 4",
    },
    Parameter {
        name: "threads",
        kind: Kind::Threads(1024),
        default: "cores",
        help: "threads that share the ring",
    },
    Parameter {
        name: "solver",
        kind: Kind::Choice(SOLVERS),
        default: "semaphore",
        help: "how the step is computed",
    },
    Parameter {
        name: "precision",
        kind: Kind::Choice(&["f64", "f32"]),
        default: "f64",
        help: "floating-point numbers of the tire",
    },
    Parameter {
        name: "barrier",
        kind: Kind::Choice(BARRIERS),
        default: "spin",
        help: "how threads wait for each other, where the solver has a barrier",
    },
    Parameter {
        name: "substeps",
        kind: Kind::Count(1, 10_000),
        default: "1",
        help: "internal steps that make up a step; the papers have 1",
    },
    Parameter {
        name: "rate",
        kind: Kind::Rate,
        default: "100Hz",
        help: "steps a second in a real-time run",
    },
    Parameter {
        name: "overrun",
        kind: Kind::Choice(Overrun::NAMES),
        default: Overrun::NAMES[0],
        help: "what a real-time run does after a step that ended too late",
    },
    Parameter {
        name: "steps",
        kind: Kind::Count(1, 100_000_000),
        default: "600",
        help: "steps of 10 ms simulated time; in a real-time run, periods",
    },
    Parameter {
        name: "watch",
        kind: Kind::Peer(&[NOWHERE]),
        default: NOWHERE,
        help: "where `steadfast watch` listens, which shows a real-time run live",
    },
    Parameter {
        name: "radius",
        kind: Kind::Number("m"),
        default: "0.3",
        help: "radius of the undeformed ring",
    },
    Parameter {
        name: "mass",
        kind: Kind::Number("kg"),
        default: "0.001",
        help: "mass of one point mass",
    },
    Parameter {
        name: "stiffness",
        kind: Kind::Number("N/m"),
        default: "1",
        help: "stiffness of one spring-damper",
    },
    Parameter {
        name: "damping",
        kind: Kind::Number("N s/m"),
        default: "0.015",
        help: "damping of one spring-damper",
    },
    Parameter {
        name: "gravity",
        kind: Kind::Number("m/s2"),
        default: "9.81",
        help: "gravity, downwards",
    },
    Parameter {
        name: "drop",
        kind: Kind::Number("m"),
        default: "1",
        help: "height of the lowest mass above the floor at the start",
    },
    Parameter {
        name: "restitution",
        kind: Kind::Number(""),
        default: "0.5",
        help: "share of its speed with which a mass leaves the floor, 0 to 1",
    },
];

/// What the tire needs to know of a specification.
pub(super) fn setup(spec: &RunSpec) -> Result<Setup, String> {
    let parameters = &spec.parameters;
    let named = |error: Error| with_flag(&error);
    let barrier = |kind: &BarrierKind| kind.name() == parameters.word("barrier");
    Ok(Setup {
        model: parameters.word("model").parse().map_err(named)?,
        masses: parameters.count("masses") as usize,
        threads: parameters.count("threads") as usize,
        solver: tire::solver(parameters.word("solver")).map_err(named)?,
        precision: parameters.word("precision").parse().map_err(named)?,
        barrier: BarrierKind::ALL
            .into_iter()
            .find(barrier)
            .unwrap_or_default(),
        substeps: parameters.count("substeps") as u32,
        parameters: physical(parameters),
        ..Setup::default()
    })
}

fn physical(parameters: &Parameters) -> tire::Parameters {
    tire::Parameters {
        radius: parameters.number("radius"),
        mass: parameters.number("mass"),
        stiffness: parameters.number("stiffness"),
        damping: parameters.number("damping"),
        gravity: parameters.number("gravity"),
        drop: parameters.number("drop"),
        restitution: parameters.number("restitution"),
        ..tire::Parameters::default()
    }
}

/// A tire's error with the flag that mends it.
pub(super) fn with_flag(error: &Error) -> String {
    let flag = match error {
        Error::Masses(_) => "--masses",
        Error::Threads { .. } => "--threads",
        Error::Solver { .. } => "--solver",
        Error::Model { .. } => "--model",
        Error::Range { .. } | Error::Unstable { .. } => return format!("--{error}"),
        _ => "tire",
    };
    format!("{flag}: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_tire_are_all_here() {
        assert_eq!(tire::SOLVERS.map(tire::Solver::name), SOLVERS);
        assert_eq!(BarrierKind::ALL.map(BarrierKind::name), BARRIERS);
    }

    #[test]
    fn the_defaults_are_those_of_the_tire() {
        let defaults = Parameters::defaults(PARAMETERS);
        assert_eq!(physical(&defaults), tire::Parameters::default());
    }
}
