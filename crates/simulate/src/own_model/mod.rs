//! The user's own model: an FMU, a library or a program, stepped like the tire.

/// Evaluates an expression with the type of a setup's source, so that a step is a call on that type.
macro_rules! with_source {
    ($setup:expr, $source:ident => $what:expr) => {
        match &$setup.origin {
            Origin::Library(_) => {
                type $source = LibrarySource;
                $what
            }
            Origin::Fmu(fmu) if fmu.kind == Kind::ModelExchange => {
                type $source = FmuAs<ModelExchange>;
                $what
            }
            Origin::Fmu(_) => {
                type $source = FmuAs<CoSimulation>;
                $what
            }
            Origin::Program(_) => {
                type $source = Program;
                $what
            }
        }
    };
}

mod clocked;
mod clocks;
mod compared;
mod countdown;
mod csv;
mod exchange;
mod fmu;
mod inputs;
mod library;
mod outputs;
mod own_threads;
mod parameters;
mod part;
mod program;
mod recorder;
mod reference;
mod scheduled;
mod setup;
mod source;
mod step_size;
mod stepped;
mod texts;
mod times;
mod values;
mod variables;

use base::Nanos;
use bench::interval::{Continuous, HandOver};
use bench::late::EachThread;
use bench::measurement::{CpuUse, Description, LONGEST_SPIN, Measurement};
use bench::pace::{self, Overrun};
use bench::{Abort, Bench, TrackShape, tally};
use exchange::ModelExchange;
use fmu::{CoSimulation, FmuAs};
use library::LibrarySource;
use model_file::Kind;
use parameters::{PARAMETERS, What};
pub(crate) use part::PHASES;
use part::{OwnModel, with_state};
use program::Program;
pub use program::{ROLE as PROGRAM_ROLE, be_program};
use record::{
    Family, Member, Mode, Parameters, Recording, Row, RunSpec, Size, Track, Warning, fact,
};
use setup::{Origin, Setup};
use source::Source;
pub use stepped::{Readable, Stepped};

use crate::model::held::{BoxedModel, Held};
use crate::model::schedule::Schedule;
use crate::model::{fast, intervals, is_paced, paced, recorded, steps};

pub struct Own;

pub(crate) const NAME: &str = "model";

/// The model with any source: all sources record the same.
type Any = OwnModel<LibrarySource>;

/// Bytes per step in one thread, for its stamps, those of its phases, and whether it was made.
const BYTES_A_STEP: u64 = pace::BYTES_A_STEP + 3 * 16 + 8;

impl Measurement for Own {
    fn description(&self) -> Description {
        Description {
            name: NAME,
            summary: "your own model, an FMU, a library or a program: at a fixed rate or as fast as possible",
            source: "FMI 2.0, 3.0",
            family: Some(Family::Models),
            parameters: PARAMETERS,
            facts: &[
                fact::MODEL,
                fact::THROUGHPUT,
                fact::PACE,
                fact::STEPS,
                fact::OWN_MODEL,
                &[fact::IDLE_NS],
            ],
            cpus: CpuUse::Threads,
            ..Description::PINNED
        }
    }

    fn is_real_time(&self, parameters: &Parameters) -> bool {
        parameters.mode() == Some(Mode::RealTime)
    }

    fn runs_others(&self, _spec: &RunSpec) -> bool {
        true
    }

    fn loads_libraries(&self, spec: &RunSpec) -> bool {
        What::of(spec).is_ok_and(|what| what != What::Program)
    }

    fn records_steps(&self) -> bool {
        true
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        bench::measurement::pinned(spec)?;
        What::of(spec)?;
        clocks::check(spec)
    }

    fn examine(&self, spec: &mut RunSpec) -> Result<Vec<Warning>, String> {
        spec.record |= reference::is_requested(spec);
        let setup = Setup::of(spec)?;
        clocks::complete(spec, &setup.clocks)?;
        reference::track(spec, &setup)?;
        recorder::check(&setup, paces_of_clocks(spec).as_deref())?;
        Ok(setup.notes())
    }

    fn check_code(&self, spec: &RunSpec) -> Result<(), String> {
        setup::check_binary(spec)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let stamps = match paces_of_clocks(spec) {
            Some(paces) => paces.iter().map(|pace| pace.periods).sum(),
            None => steps(spec).saturating_mul(spec.parameters.threads()),
        };
        stamps
            .saturating_mul(BYTES_A_STEP + tally::bytes_a_period(spec))
            .saturating_add(recorder::bytes(spec))
    }

    /// A real-fast thread never waits, and neither does a late thread that may not skip steps.
    fn longest_spin(&self, spec: &RunSpec) -> Nanos {
        let leaves_out = Overrun::of(&spec.parameters).leaves_out();
        let is_free = is_paced(spec) && leaves_out;
        let busy = if is_free { 0 } else { spec.asked.duration.0.saturating_mul(5) };
        Nanos(LONGEST_SPIN.0.saturating_add(busy))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        if bench.spec.record {
            bench.warn([Warning::StepsRecorded]);
        }
        let setup = Setup::of(&bench.spec).map_err(Abort::Failed)?;
        let reference = reference::track(&bench.spec, &setup).map_err(Abort::Failed)?;
        drop(setup);
        let mut tracks = match paces_of_clocks(&bench.spec) {
            Some(paces) => scheduled::run(bench, &paces)?,
            None => run(bench, None)?,
        };
        if let Some(reference) = reference {
            reference::add(reference, &mut tracks);
        }
        Ok(tracks)
    }

    fn continuous(&self) -> Option<&dyn Continuous> {
        Some(self)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let shapes = match paces_of_clocks(spec) {
            Some(paces) => scheduled::shapes(spec, &paces),
            None => recorded::shapes::<Any>(spec, 1, |shape| recorder::shape(spec, shape)),
        };
        let with = |shape: TrackShape| match shape.is_named("state") {
            true => reference::shape(spec, shape),
            false => shape,
        };
        shapes.into_iter().map(with).collect()
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let spec = &recording.header.spec;
        let tracks = &recording.tracks;
        let rows = match paces_of_clocks(spec) {
            Some(_) => scheduled::rows(recording),
            None => {
                let row = recorded::row::<Any>(recording, tracks, 1, Size::INSTANCES);
                vec![named(with_state(row, tracks), spec)]
            }
        };
        compared::with_outputs(rows, recording)
    }

    /// A real-time step that ends after the due time of the next one has missed its deadline.
    fn usual_limit(&self, parameters: &Parameters) -> Option<Nanos> {
        self.is_real_time(parameters).then(|| parameters.rate_period())
    }

    fn each_thread(&self, recording: &Recording, each: EachThread) {
        let spec = &recording.header.spec;
        match paces_of_clocks(spec) {
            Some(_) => scheduled::each_thread(recording, each),
            None => paced::each_thread::<Any>(spec, &recording.tracks, each),
        }
    }

    fn recorded_steps(&self, recording: &Recording) -> Result<String, String> {
        outputs::written(recording)
    }
}

impl Continuous for Own {
    fn check_continuous(&self, spec: &RunSpec) -> Result<(), String> {
        if paces_of_clocks(spec).is_some() {
            return Err(
                "--interface: clocks of Scheduled Execution cannot be cut into intervals; \
                        use co-simulation"
                    .to_owned(),
            );
        }
        if reference::is_requested(spec) {
            return Err("--check: the outputs of a soak are not kept; omit it".to_owned());
        }
        intervals::check(spec)
    }

    fn run_intervals(&self, bench: &Bench, count: u64, hand_over: HandOver) -> Result<(), Abort> {
        run(bench, Some((count, hand_over))).map(drop)
    }
}

/// Returns how often a model's clocks tick, if it has any; the specification has been checked.
fn paces_of_clocks(spec: &RunSpec) -> Option<Vec<pace::Pace>> {
    clocks::paces(spec).ok().flatten()
}

/// Labels the row with the model's name, and its instances and threads unless both are one.
fn named(mut row: Row, spec: &RunSpec) -> Row {
    let Some(name) = row.fact(&fact::MODEL_NAME).and_then(|name| name.as_str()) else {
        return row;
    };
    row.label = match (spec.parameters.instances(), spec.parameters.threads()) {
        (1, 1) => name.to_owned(),
        _ => format!("{name}, {}", row.label),
    };
    row
}

/// Returns the model as a member of a mix; its threads are numbered from `first_thread`.
pub(crate) fn member(member: &Member, first_thread: usize) -> Result<BoxedModel<'_>, String> {
    let mut setup = Setup::of(&member.run)?;
    setup.instance_name.clone_from(&member.name);
    if !setup.clocks.is_empty() {
        return Err("clocks: not possible in a mix, because a member has only one rate".to_owned());
    }
    Ok(with_source!(setup, S => Box::new(Held::of(OwnModel::<S>::new(setup, first_thread)))))
}

/// Number of intervals, and what takes each.
type InIntervals<'i> = (u64, HandOver<'i>);

fn run(bench: &Bench, in_intervals: Option<InIntervals>) -> Result<Vec<Track>, Abort> {
    let setup = Setup::of(&bench.spec).map_err(Abort::Failed)?;
    bench.warn(setup.notes());
    with_source!(setup, S => run_model(bench, OwnModel::<S>::new(setup, 0), in_intervals))
}

fn run_model<S: Source>(
    bench: &Bench,
    mut model: OwnModel<S>,
    in_intervals: Option<InIntervals>,
) -> Result<Vec<Track>, Abort> {
    match in_intervals {
        Some((count, hand_over)) => {
            intervals::run(bench, &mut model, count, hand_over).map(|()| Vec::new())
        }
        None if is_paced(&bench.spec) => {
            paced::run(bench, &mut model, &[Schedule::new(paced::pace(&bench.spec))])
        }
        None => fast::run(bench, &mut model, 1),
    }
}
