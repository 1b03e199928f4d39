//! The tire: simulation steps as fast as possible, or paced at a rate.

mod model;
mod parameters;
mod recorder;
mod show;

use base::Nanos;
use bench::interval::{self, Continuous, HandOver};
use bench::late::EachThread;
use bench::measurement::{CpuUse, Description, LONGEST_SPIN, Length, Measurement, PEAK_OF_SAMPLES};
use bench::pace::{self, Overrun};
use bench::{Abort, Bench, TrackShape, tally};
pub(crate) use model::PHASES;
use model::TireModel;
use parameters::{PARAMETERS, setup, with_flag};
use record::{
    Family, Member, Mode, Parameters, Recording, Row, RunSpec, Size, Track, Warning, fact,
};
use show::Show;
use tire::{InstructionSet, Setup};

use crate::instructions;
use crate::model::held::{BoxedModel, Held};
use crate::model::schedule::Schedule;
use crate::model::{fast, intervals, paced, recorded, warm_up};

pub struct Tire;

pub(crate) const NAME: &str = "tire";

/// Approximate time of a step per mass; only used to plan time, never in a result.
const PLANNED_NS_A_MASS: u64 = 50;
const PLANNED_NS_A_MASS_IN_VECTORS: u64 = 3;
const PLANNED_NS_A_THREAD: u64 = 500;
/// Bytes per step in one thread, for its stamps and those of its phases.
const BYTES_A_STEP: u64 = pace::BYTES_A_STEP + 6 * 16;
/// Approximate memory of a tire per mass: state and semaphore, or state only.
const BYTES_A_GUARDED_MASS: u64 = 256;
const BYTES_A_PLAIN_MASS: u64 = 96;

impl Measurement for Tire {
    fn description(&self) -> Description {
        Description {
            name: NAME,
            summary: "a multithreaded mass-spring tire, as fast as possible or at a fixed rate",
            source: "SAE, MPE 4",
            family: Some(Family::Models),
            parameters: PARAMETERS,
            facts: &[
                fact::MODEL,
                fact::THROUGHPUT,
                fact::PACE,
                fact::PHASES,
                fact::STEPS,
                fact::VIEWER,
                &[fact::INSTRUCTIONS, fact::WARM_UP_NS],
            ],
            cpus: CpuUse::Threads,
            ..Description::PINNED
        }
    }

    fn length(&self, parameters: &Parameters) -> Length {
        let steps = |each: u64| Nanos(each.saturating_mul(parameters.steps()));
        match self.is_real_time(parameters) {
            true => Length::Steps(steps(parameters.rate_period().0)),
            false => Length::Fixed(steps(planned_step(parameters))),
        }
    }

    fn is_real_time(&self, parameters: &Parameters) -> bool {
        parameters.mode() == Some(Mode::RealTime)
    }

    fn records_steps(&self) -> bool {
        true
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        bench::measurement::pinned(spec)?;
        let setup = setup(spec)?;
        check_instructions(&spec.parameters, &setup)?;
        setup.check().map_err(|error| with_flag(&error))?;
        let is_paced = self.is_real_time(&spec.parameters);
        warm_up::check(&spec.parameters, is_paced, setup.solver.has_vectors())?;
        if warm_up::is_asked(&spec.parameters) && spec.blame_beyond.is_some() {
            return Err(
                "--warm-up: its CPU time would be blamed on the steps; omit --blame".to_owned()
            );
        }
        recorder::check(spec, &setup)?;
        show::check(&spec.parameters, is_paced)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let parameters = &spec.parameters;
        let stamps = parameters.steps().saturating_mul(parameters.threads());
        let bytes_a_mass = match parameters.solver() {
            "simd" | "fused" => BYTES_A_PLAIN_MASS,
            _ => BYTES_A_GUARDED_MASS,
        };
        let state = parameters.masses().saturating_mul(bytes_a_mass) / PEAK_OF_SAMPLES;
        let stamps = stamps.saturating_mul(BYTES_A_STEP + tally::bytes_a_period(spec));
        stamps.saturating_add(state).saturating_add(recorder::bytes(spec))
    }

    /// A real-fast thread never waits, and neither does a late thread that may not skip steps.
    fn longest_spin(&self, spec: &RunSpec) -> Nanos {
        let parameters = &spec.parameters;
        // With a warm-up, a late thread may not sleep either.
        let leaves_out = Overrun::of(parameters).leaves_out() && !warm_up::is_asked(parameters);
        let steps =
            if self.is_real_time(parameters) && leaves_out { 1 } else { parameters.steps() };
        let busy = planned_step(parameters).saturating_mul(steps);
        Nanos(LONGEST_SPIN.0.saturating_add(busy.saturating_mul(5)))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        if bench.spec.record {
            bench.warn([Warning::StepsRecorded]);
        }
        if self.is_real_time(&bench.spec.parameters) {
            return run_paced(bench);
        }
        let mut model = TireModel::new(&bench.spec, None).map_err(Abort::Failed)?;
        fast::run(bench, &mut model, steps_at_once(&bench.spec))
    }

    fn continuous(&self) -> Option<&dyn Continuous> {
        Some(self)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let kept = |shape| recorder::shape(spec, shape);
        let mut shapes = recorded::shapes::<TireModel>(spec, steps_at_once(spec), kept);
        if self.is_real_time(&spec.parameters) {
            shapes.push(show::shape());
        }
        shapes
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let (tracks, show) = show::split(&recording.tracks);
        let spec = &recording.header.spec;
        let at_once = steps_at_once(spec);
        let row = recorded::row::<TireModel>(recording, tracks, at_once, Size::MASSES);
        let row = match show {
            Some(show) => show::with_frames(row, show, &spec.parameters),
            None => row,
        };
        vec![with_facts(row, spec, tracks)]
    }

    /// A real-time step that ends after the due time of the next one has missed its deadline.
    fn usual_limit(&self, parameters: &Parameters) -> Option<Nanos> {
        self.is_real_time(parameters).then(|| parameters.rate_period())
    }

    fn recorded_steps(&self, recording: &Recording) -> Result<String, String> {
        recorder::recorded_steps(recording)
    }

    fn each_thread(&self, recording: &Recording, each: EachThread) {
        let (tracks, _) = show::split(&recording.tracks);
        paced::each_thread::<TireModel>(&recording.header.spec, tracks, each);
    }
}

impl Continuous for Tire {
    fn check_continuous(&self, spec: &RunSpec) -> Result<(), String> {
        show::check_unwatched(&spec.parameters)?;
        intervals::check(spec)
    }

    fn set_interval(&self, spec: &mut RunSpec, length: Nanos) -> Result<(), String> {
        let periods = interval::set_periods(spec, self.rate(spec)?, length)?;
        spec.parameters.set_steps(periods);
        Ok(())
    }

    fn run_intervals(&self, bench: &Bench, count: u64, hand_over: HandOver) -> Result<(), Abort> {
        let mut model = TireModel::new(&bench.spec, None).map_err(Abort::Failed)?;
        intervals::run(bench, &mut model, count, hand_over)
    }
}

pub(crate) fn member(member: &Member, _: usize) -> Result<BoxedModel<'_>, String> {
    Ok(Box::new(Held::of(TireModel::new(&member.run, None)?)))
}

/// Refuses sets that the processor lacks, and any choice for a solver without vectors.
fn check_instructions(parameters: &Parameters, setup: &Setup) -> Result<(), String> {
    let set = instructions::check(parameters)?;
    let solver = setup.solver;
    if instructions::is_named(parameters) && !solver.has_vectors() {
        return Err(format!(
            "--instructions {set}: the {} solver computes one mass at a time; use --solver simd \
             or fused",
            solver.name()
        ));
    }
    Ok(())
}

/// Returns the approximate length of a step, in nanoseconds.
fn planned_step(parameters: &Parameters) -> u64 {
    // Fused multiply-adds come with the vectors; only the baseline without them is slow.
    let has_vectors = InstructionSet::best() != InstructionSet::Baseline;
    let a_mass = match parameters.solver() {
        "simd" | "fused" if has_vectors => PLANNED_NS_A_MASS_IN_VECTORS,
        _ => PLANNED_NS_A_MASS,
    };
    let masses = parameters.masses() * a_mass;
    let threads = parameters.threads() * PLANNED_NS_A_THREAD;
    (masses + threads).saturating_mul(parameters.substeps())
}

fn run_paced(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let spec = &bench.spec;
    let schedule = Schedule::new(paced::pace(spec));
    let show = Show::of(spec, &schedule)?;
    let run = || {
        let mut model = TireModel::new(spec, show.as_ref()).map_err(Abort::Failed)?;
        paced::run(bench, &mut model, std::slice::from_ref(&schedule))
    };
    let Some(show) = &show else { return run() };
    let (mut tracks, shown) = show.during(run)?;
    tracks.push(shown);
    Ok(tracks)
}

/// Steps between stamps in a real-fast run: fused steps are stopped only to be recorded.
fn steps_at_once(spec: &RunSpec) -> u64 {
    let parameters = &spec.parameters;
    if spec.record {
        return 1;
    }
    let [masses, threads] = [parameters.masses(), parameters.threads()].map(|n| n as usize);
    tire::solver(parameters.solver())
        .map_or(1, |solver| solver.steps_a_pass(masses, threads.max(1)) as u64)
}

fn with_facts(row: Row, spec: &RunSpec, tracks: &[Track]) -> Row {
    let parameters = &spec.parameters;
    let wall = row.fact(&fact::WALL_NS).and_then(serde_json::Value::as_i64);
    let updates = (parameters.masses() * parameters.substeps() * parameters.steps()) as f64;
    let of_state = |fact: &fact::Fact| recorded::of_state(tracks, fact);
    let warm_up = || tracks.iter().map(|track| track.number(&fact::WARM_UP_NS)).sum::<i64>();
    let row = row
        .with(&fact::MODEL_NAME, parameters.model())
        .with(&fact::SOLVER, parameters.solver())
        .with(&fact::PRECISION, parameters.precision())
        .with(&fact::SUBSTEPS, parameters.substeps())
        .with(&fact::ENERGY_SHARE, of_state(&fact::ENERGY_SHARE))
        .with(&fact::IS_EXACT, of_state(&fact::IS_EXACT))
        .with(&fact::INSTRUCTIONS, of_state(&fact::INSTRUCTIONS))
        .with(&fact::WARM_UP_NS, warm_up::is_asked(parameters).then(warm_up));
    match wall {
        Some(wall) => row.with(&fact::MASS_UPDATES_PER_S, updates * 1e9 / wall as f64),
        None => row,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{self as tests, set, spec_with};
    use rt::clock;

    /// A small tire in the given mode, with these further parameters.
    fn small_with(mode: &str, threads: u64, others: &[(&str, &str)]) -> RunSpec {
        let threads = threads.to_string();
        let mut spec = spec_with("tire", &[("mode", mode), ("threads", &threads)]);
        set(&mut spec, &[("masses", "40"), ("steps", "30"), ("rate", "1kHz")]);
        set(&mut spec, others);
        spec
    }

    fn small(mode: &str, threads: u64) -> RunSpec {
        small_with(mode, threads, &[])
    }

    fn measured(spec: RunSpec) -> Row {
        tests::measured(spec).remove(0)
    }

    #[test]
    fn every_step_is_in_the_row() {
        let fast = measured(small("real-fast", 2));
        assert_eq!((fast.due, fast.executed, fast.skipped), (30, 30, 0));
        assert!(fast.facts["mass_updates_per_s"].as_f64().unwrap() > 0.0);
        let paced = measured(small("real-time", 2));
        assert_eq!(paced.due, 30);
        assert_eq!(paced.due, paced.executed + paced.skipped);
    }

    #[test]
    fn the_remaining_energy_is_reported() {
        let share = |mode| measured(small(mode, 1)).facts["energy_share"].as_f64().unwrap();
        for mode in ["real-fast", "real-time"] {
            assert!((0.5..1.5).contains(&share(mode)), "{mode}");
        }
    }

    #[test]
    fn a_late_run_that_skips_nothing_may_spin_for_all_its_steps() {
        let longest = |overrun: &str| {
            let large = [("overrun", overrun), ("masses", "1000000")];
            Tire.longest_spin(&small_with("real-time", 1, &large))
        };
        for (never_waits, waits) in [("catch-up", "skip"), ("slip", "stop")] {
            assert!(longest(never_waits).0 > 2 * longest(waits).0);
        }
    }

    #[test]
    fn exact_solvers_give_one_hash_for_all_threads() {
        let hash = |solver: &str, threads| {
            let others = [("solver", solver), ("masses", "4000")];
            measured(small_with("real-fast", threads, &others)).facts["state_hash"].clone()
        };
        let one = hash("semaphore", 1);
        assert!(one.is_string());
        assert_eq!(hash("semaphore", 1), one);
        for solver in ["semaphore-exact", "two-phase", "barrier", "simd", "fused"] {
            assert_eq!(hash(solver, 1), one, "{solver}");
            assert_eq!(hash(solver, 2), one, "{solver}");
        }
    }

    #[test]
    fn requested_vectors_are_reported_and_change_no_bit() {
        let row = |set: InstructionSet| {
            let others = [("solver", "fused"), ("instructions", &set.to_string())];
            let spec = small_with("real-fast", 2, &others);
            Tire.check(&spec).unwrap();
            measured(spec)
        };
        let expected = measured(small("real-fast", 1));
        assert_eq!(expected.facts["instructions"], serde_json::Value::Null);
        for set in InstructionSet::available() {
            let row = row(set);
            assert_eq!(row.facts["instructions"], set.to_string());
            assert_eq!(row.facts["state_hash"], expected.facts["state_hash"], "{set}");
        }
    }

    #[test]
    fn a_warm_up_is_reported_and_changes_no_bit() {
        let row = |warm_up: &str| {
            let slow = [("solver", "simd"), ("rate", "100Hz"), ("overrun", "catch-up")];
            let mut spec = small_with("real-time", 2, &slow);
            set(&mut spec, &[("warm-up", warm_up)]);
            Tire.check(&spec).unwrap();
            measured(spec)
        };
        let without = row("none");
        assert_eq!(without.facts["warm_up_ns"], serde_json::Value::Null);
        for by in ["touch:2ms", "spin:2ms"] {
            let begun = clock::now();
            let with = row(by);
            let most = 2 * (clock::now() - begun);
            let spent = with.facts["warm_up_ns"].as_u64().unwrap();
            // There are two threads, and neither warms up for longer than it ran.
            assert!((1..most).contains(&spent), "{spent}");
            assert_eq!(with.facts["state_hash"], without.facts["state_hash"], "{by}");
        }
    }
}
