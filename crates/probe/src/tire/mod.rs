//! The tire: a simulation step as fast as possible, or paced at a rate.

mod fast;
mod paced;
mod parameters;
mod phases;
mod record;
mod schedule;
mod show;
mod team;

use blame::Late;
use parameters::{PARAMETERS, REAL_TIME, setup, with_flag};
use plan::{Parameters, Recording, Row, RunSpec, Track, Warning, fact};
pub use record::recorded_steps;
use tire::InstructionSet;
use units::Nanos;

use crate::TrackShape;
use crate::measurement::{CpuUse, Description, LONGEST_SPIN, Length, Measurement, PEAK_OF_SAMPLES};
use crate::pace;
use crate::tally;
use crate::{Abort, Bench};

pub(crate) struct Tire;

/// About what a step takes for each mass, with the check of its result; only to plan
/// time, never in a result.
const PLANNED_NS_A_MASS: u64 = 50;
const PLANNED_NS_A_MASS_IN_VECTORS: u64 = 3;
const PLANNED_NS_A_THREAD: u64 = 500;
/// Stamps of one step in one thread, and of its phases.
const BYTES_A_STEP: u64 = pace::BYTES_A_STEP + 6 * 16;
/// About what a tire takes for each mass: state and semaphore, or state alone.
const BYTES_A_GUARDED_MASS: u64 = 256;
const BYTES_A_PLAIN_MASS: u64 = 96;

impl Measurement for Tire {
    fn description(&self) -> Description {
        Description {
            name: "tire",
            summary: "a multithreaded mass-spring tire, as fast as possible or at a fixed rate",
            source: "SAE, MPE 4",
            parameters: PARAMETERS,
            facts: &[
                fact::MODEL,
                fact::THROUGHPUT,
                fact::PACE,
                fact::PHASES,
                fact::STEPS,
                fact::VIEWER,
            ],
        }
    }

    fn cpu_use(&self, _: &Parameters) -> CpuUse {
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

    fn records_steps(&self) -> bool {
        true
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        crate::measurement::pinned(spec)?;
        let setup = setup(spec)?;
        setup.check().map_err(|error| with_flag(&error))?;
        record::check(spec, &setup)?;
        show::check(&spec.parameters, self.is_real_time(&spec.parameters))
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
        let state = parameters.count("masses").saturating_mul(bytes_a_mass) / PEAK_OF_SAMPLES;
        let bytes_a_step = BYTES_A_STEP + tally::bytes_a_period(spec);
        let stamps = stamps.saturating_mul(bytes_a_step);
        stamps
            .saturating_add(state)
            .saturating_add(record::bytes(spec))
    }

    /// A real-fast thread never waits, nor does one that is late and may leave nothing out.
    fn longest_spin(&self, spec: &RunSpec) -> Nanos {
        let parameters = &spec.parameters;
        let leaves_out = matches!(parameters.word("overrun"), "skip" | "stop");
        let steps = if self.is_real_time(parameters) && leaves_out {
            1
        } else {
            parameters.count("steps")
        };
        let busy = planned_step(parameters).saturating_mul(steps);
        Nanos(LONGEST_SPIN.0.saturating_add(busy.saturating_mul(5)))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        if bench.spec.record {
            bench.warn([Warning::StepsRecorded]);
        }
        if self.is_real_time(&bench.spec.parameters) {
            paced::run(bench)
        } else {
            fast::run(bench)
        }
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let threads = spec.parameters.count("threads") as usize;
        let is_paced = self.is_real_time(&spec.parameters);
        let solver = |thread| match is_paced {
            true => paced::shape(spec, team::name(thread)),
            false => fast::shape(spec, team::name(thread)),
        };
        let mut shapes: Vec<TrackShape> = (0..threads).map(solver).collect();
        shapes.push(TrackShape::named("state"));
        if is_paced {
            shapes.extend(paced::shapes_of_all(spec));
        }
        shapes
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

    /// A real-time step that ends after the next one's due time has missed its deadline.
    fn usual_limit(&self, parameters: &Parameters) -> Option<Nanos> {
        let is_paced = self.is_real_time(parameters);
        is_paced.then(|| parameters.time("rate"))
    }

    fn late(&self, recording: &Recording) -> Vec<Late> {
        paced::late(recording)
    }
}

/// About how long a step takes, in nanoseconds.
fn planned_step(parameters: &Parameters) -> u64 {
    let has_vectors = InstructionSet::best() != InstructionSet::Baseline;
    let a_mass = match parameters.word("solver") {
        "simd" | "fused" if has_vectors => PLANNED_NS_A_MASS_IN_VECTORS,
        _ => PLANNED_NS_A_MASS,
    };
    let masses = parameters.count("masses") * a_mass;
    let threads = parameters.count("threads") * PLANNED_NS_A_THREAD;
    (masses + threads).saturating_mul(parameters.count("substeps"))
}

/// What every row of a tire tells.
fn with_facts(row: Row, recording: &Recording, threads: &[Track]) -> Row {
    let parameters = &recording.header.spec.parameters;
    let cpu_time: i64 = threads
        .iter()
        .map(|track| track.number(&fact::CPU_TIME_NS))
        .sum();
    let state = |name: &str| {
        let told = recording
            .tracks
            .iter()
            .find_map(|track| track.attributes.get(name));
        told.cloned()
    };
    row.with(&fact::MODE, parameters.word("mode"))
        .with(&fact::MODEL_NAME, parameters.word("model"))
        .with(&fact::MASSES, parameters.count("masses"))
        .with(&fact::THREADS, parameters.count("threads"))
        .with(&fact::SOLVER, parameters.word("solver"))
        .with(&fact::PRECISION, parameters.word("precision"))
        .with(&fact::SUBSTEPS, parameters.count("substeps"))
        .with(&fact::CPU_TIME_NS, cpu_time)
        .with(&fact::STATE_HASH, state("hash"))
        .with(&fact::ENERGY_SHARE, state(&fact::ENERGY_SHARE))
        .with(&fact::IS_EXACT, state(&fact::IS_EXACT))
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
    fn a_late_run_that_leaves_nothing_out_may_spin_for_all_its_steps() {
        let longest = |overrun: &str| {
            let mut spec = small(REAL_TIME, 1);
            let word = Value::Word(overrun.to_owned());
            spec.parameters.set("overrun", word);
            spec.parameters.set("masses", Value::Count(1_000_000));
            Tire.longest_spin(&spec)
        };
        for (never_waits, waits) in [("catch-up", "skip"), ("slip", "stop")] {
            assert!(longest(never_waits).0 > 2 * longest(waits).0);
        }
    }

    #[test]
    fn the_energy_left_is_told() {
        let share = |mode| {
            measured(small(mode, 1)).facts["energy_share"]
                .as_f64()
                .unwrap()
        };
        for mode in ["real-fast", REAL_TIME] {
            assert!((0.5..1.5).contains(&share(mode)), "{mode}");
        }
    }

    #[test]
    fn one_thread_gives_one_hash() {
        let hash = || measured(small("real-fast", 1)).facts["state_hash"].clone();
        assert!(hash().is_string());
        assert_eq!(hash(), hash());
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
