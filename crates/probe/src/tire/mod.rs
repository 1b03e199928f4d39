//! The tire: a simulation step as fast as possible, or paced at a rate.

mod fast;
mod overrun;
mod paced;
mod phases;
mod schedule;
mod team;

use overrun::Overrun;
use plan::{Kind, Parameter, Parameters, Recording, Row, RunSpec, Track};
use tire::{BarrierKind, Error, Setup};
use units::Nanos;

use crate::measurement::{CpuUse, LONGEST_SPIN, Length, Measurement, PEAK_OF_SAMPLES};
use crate::{Abort, Bench};

pub(crate) struct Tire;

const REAL_TIME: &str = "real-time";
/// Names of the tire's solvers, and of its barriers; a test holds them against
/// the tire's own tables.
const SOLVERS: &[&str] = &["semaphore", "semaphore-exact", "barrier", "simd", "fused"];
const BARRIERS: &[&str] = &["spin", "futex", "pthread"];

const PARAMETERS: &[Parameter] = &[
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
];

/// About what a step takes for each mass; only to plan time, never in a result.
const PLANNED_NS_A_MASS: u64 = 50;
const PLANNED_NS_A_THREAD: u64 = 500;
/// Stamps of one step in one thread, and of its phases.
const BYTES_A_STEP: u64 = 24 + 6 * 16;
/// About what a tire takes for each mass: state and semaphore, or state alone.
const BYTES_A_GUARDED_MASS: u64 = 256;
const BYTES_A_PLAIN_MASS: u64 = 96;

impl Measurement for Tire {
    fn name(&self) -> &'static str {
        "tire"
    }

    fn summary(&self) -> &'static str {
        "a multithreaded mass-spring tire, as fast as possible or at a fixed rate"
    }

    fn source(&self) -> &'static str {
        "SAE, MPE 4"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn cpu_use(&self) -> CpuUse {
        CpuUse::Threads
    }

    fn length(&self, parameters: &Parameters) -> Length {
        let a_step = if self.is_real_time(parameters) {
            parameters.time("rate").0
        } else {
            planned_step(parameters)
        };
        Length::Fixed(Nanos(a_step.saturating_mul(parameters.count("steps"))))
    }

    fn is_real_time(&self, parameters: &Parameters) -> bool {
        parameters.word("mode") == REAL_TIME
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        crate::measurement::pinned(spec)?;
        setup(spec)?.check().map_err(|error| with_flag(&error))?;
        Ok(())
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let parameters = &spec.parameters;
        let stamps = parameters
            .count("steps")
            .saturating_mul(parameters.count("threads"));
        let bytes_a_mass = match parameters.word("solver") {
            "simd" | "fused" => BYTES_A_PLAIN_MASS,
            _ => BYTES_A_GUARDED_MASS,
        };
        let state = parameters.count("masses") * bytes_a_mass / PEAK_OF_SAMPLES;
        stamps.saturating_mul(BYTES_A_STEP).saturating_add(state)
    }

    /// A real-fast thread never waits.
    fn longest_spin(&self, parameters: &Parameters) -> Nanos {
        let Nanos(steps) = self.length(parameters).time();
        let busy = if self.is_real_time(parameters) {
            planned_step(parameters)
        } else {
            steps
        };
        Nanos(LONGEST_SPIN.0.saturating_add(busy.saturating_mul(5)))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        if self.is_real_time(&bench.spec.parameters) {
            paced::run(bench)
        } else {
            fast::run(bench)
        }
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let parameters = &recording.header.spec.parameters;
        let row = if self.is_real_time(parameters) {
            paced::row(recording)
        } else {
            fast::row(recording)
        };
        vec![row]
    }
}

/// About how long a step takes, in nanoseconds.
fn planned_step(parameters: &Parameters) -> u64 {
    let masses = parameters.count("masses") * PLANNED_NS_A_MASS;
    let threads = parameters.count("threads") * PLANNED_NS_A_THREAD;
    (masses + threads).saturating_mul(parameters.count("substeps"))
}

/// What the tire needs to know of a specification.
fn setup(spec: &RunSpec) -> Result<Setup, String> {
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
        ..Setup::default()
    })
}

/// A tire's error with the flag that mends it.
fn with_flag(error: &Error) -> String {
    let flag = match error {
        Error::Masses(_) => "--masses",
        Error::Threads { .. } => "--threads",
        Error::Solver { .. } => "--solver",
        Error::Model { .. } => "--model",
        _ => "tire",
    };
    format!("{flag}: {error}")
}

/// What every row of a tire tells.
fn with_facts(row: Row, recording: &Recording, threads: &[Track]) -> Row {
    let parameters = &recording.header.spec.parameters;
    let cpu_time: i64 = threads
        .iter()
        .map(|track| track.number("cpu_time_ns"))
        .sum();
    let state = |name: &str| {
        let told = recording
            .tracks
            .iter()
            .find_map(|track| track.attributes.get(name));
        told.cloned()
    };
    row.with("mode", parameters.word("mode"))
        .with("model", parameters.word("model"))
        .with("masses", parameters.count("masses"))
        .with("threads", parameters.count("threads"))
        .with("solver", parameters.word("solver"))
        .with("precision", parameters.word("precision"))
        .with("substeps", parameters.count("substeps"))
        .with("cpu_time_ns", cpu_time)
        .with("state_hash", state("hash"))
        .with("is_exact", state("is_exact"))
}

fn label(recording: &Recording) -> String {
    let parameters = &recording.header.spec.parameters;
    let threads = parameters.count("threads");
    let plural = if threads == 1 { "" } else { "s" };
    format!(
        "{} masses, {threads} thread{plural}",
        parameters.count("masses")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};
    use plan::Value;

    /// A small tire in the given mode.
    fn small(mode: &str, threads: u64) -> RunSpec {
        let mut spec = spec("tire");
        let mut set = |name: &str, value| spec.parameters.set(name, value);
        set("mode", Value::Word(mode.to_owned()));
        set("masses", Value::Count(40));
        set("threads", Value::Count(threads));
        set("steps", Value::Count(30));
        set("rate", Value::Rate("1kHz".parse().unwrap()));
        spec
    }

    fn measured(spec: RunSpec) -> Row {
        let bench = Bench::new(spec.clone());
        let tracks = Tire.run(&bench).unwrap();
        Tire.rows(&recording(spec, tracks)).remove(0)
    }

    #[test]
    fn every_step_is_in_the_row() {
        let fast = measured(small("real-fast", 2));
        assert_eq!((fast.due, fast.executed, fast.skipped), (30, 30, 0));
        assert!(fast.facts["mass_updates_per_s"].as_f64().unwrap() > 0.0);
        let paced = measured(small(REAL_TIME, 2));
        assert_eq!(paced.due, 30);
        assert_eq!(paced.due, paced.executed + paced.skipped);
    }

    #[test]
    fn one_thread_gives_one_hash() {
        let hash = || measured(small("real-fast", 1)).facts["state_hash"].clone();
        assert!(hash().is_string());
        assert_eq!(hash(), hash());
    }

    #[test]
    fn the_tables_of_the_tire_are_all_here() {
        assert_eq!(tire::SOLVERS.map(tire::Solver::name), SOLVERS);
        assert_eq!(BarrierKind::ALL.map(BarrierKind::name), BARRIERS);
    }

    #[test]
    fn exact_solvers_give_one_hash_for_all_threads() {
        let hash = |solver: &str, threads| {
            let mut spec = small("real-fast", threads);
            spec.parameters
                .set("solver", Value::Word(solver.to_owned()));
            spec.parameters.set("masses", Value::Count(4000));
            measured(spec).facts["state_hash"].clone()
        };
        let one = hash("semaphore", 1);
        for solver in ["semaphore-exact", "barrier", "simd", "fused"] {
            assert_eq!(hash(solver, 1), one, "{solver}");
            assert_eq!(hash(solver, 2), one, "{solver}");
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        for (name, count, flag) in [("masses", 6, "--masses"), ("threads", 41, "--threads")] {
            let mut spec = small("real-fast", 1);
            spec.parameters.set(name, Value::Count(count));
            let error = Tire.check(&spec).unwrap_err();
            assert!(error.starts_with(flag), "{error}");
        }
    }
}
