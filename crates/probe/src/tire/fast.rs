//! The real-fast run: steps as fast as possible.

use plan::{Recording, Row, RunSpec, Track, fact};
use rt::clock;
use rt::energy::EnergyMeter;
use rt::memory::Samples;
use stats::{Distribution, Sample};
use tire::Worker;

use super::record::{self, Recorder};
use super::team::{self, Stepped};
use super::{label, with_facts};
use crate::shape::{Holds, TrackShape};
use crate::{Abort, Bench};

pub(crate) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let spec = &bench.spec;
    let steps = spec.parameters.count("steps");
    let at_once = steps_at_once(spec);
    team::run(bench, |_, mut worker| {
        worker.settle();
        let recorder = Recorder::of(spec, &worker);
        prepared(worker, steps, at_once, recorder)
    })
}

/// Steps from one stamp to the next: a solver that fuses steps is not to be
/// stopped at each of them, but to record them.
fn steps_at_once(spec: &RunSpec) -> u64 {
    let parameters = &spec.parameters;
    if spec.record {
        return 1;
    }
    let [masses, threads] = ["masses", "threads"].map(|name| parameters.count(name) as usize);
    tire::solver(parameters.word("solver")).map_or(1, |solver| {
        solver.steps_a_pass(masses, threads.max(1)) as u64
    })
}

/// What a solver thread brings back.
struct Stamps {
    start: u64,
    cpu_time: u64,
    energy_uj: Option<u64>,
    ends: Samples,
    recorder: Option<Recorder>,
}

/// The measured loop of one thread.
fn prepared(
    mut worker: Worker,
    steps: u64,
    at_once: u64,
    mut recorder: Option<Recorder>,
) -> impl FnOnce(u64) -> Stepped<Stamps> {
    let mut meter = EnergyMeter::find();
    let mut ends = Samples::with_capacity(steps.div_ceil(at_once) as usize);
    move |start| {
        clock::sleep_until(start);
        if let Some(meter) = &mut meter {
            meter.restart();
        }
        let cpu_time = clock::thread_cpu_time();
        let start = clock::now();
        let mut left = steps;
        while left > 0 {
            let now = left.min(at_once);
            worker.run(now)?;
            ends.push(clock::now());
            if let Some(recorder) = &mut recorder {
                recorder.after(&worker);
            }
            left -= now;
        }
        let cpu_time = clock::thread_cpu_time() - cpu_time;
        let energy_uj = meter.as_ref().and_then(EnergyMeter::microjoules);
        let stamps = Stamps {
            start,
            cpu_time,
            ends,
            energy_uj,
            recorder,
        };
        Ok((worker, stamps))
    }
}

impl From<Stamps> for Track {
    fn from(stamps: Stamps) -> Self {
        let track = Track::new("")
            .with("start_ns", stamps.start)
            .with(&fact::CPU_TIME_NS, stamps.cpu_time)
            .with(&fact::ENERGY_UJ, stamps.energy_uj)
            .column("end_ns", stamps.ends.to_column());
        record::onto(stamps.recorder.as_ref(), track)
    }
}

/// The shape of the track of one solver thread.
pub(super) fn shape(spec: &RunSpec, name: String) -> TrackShape {
    let passes = spec.parameters.count("steps").div_ceil(steps_at_once(spec));
    let shape = TrackShape::named(name)
        .fact("start_ns", Holds::Stamps)
        .fact(&fact::CPU_TIME_NS, Holds::Times)
        .rows(passes, &[("end_ns", Holds::Stamps)]);
    record::shape(spec, shape)
}

/// A step ends when its last thread ends it. Steps that were made in one go share
/// their time.
pub(crate) fn row(recording: &Recording) -> Row {
    let [threads @ .., _state] = &recording.tracks[..] else {
        return Row::default();
    };
    let parameters = &recording.header.spec.parameters;
    let (steps, at_once) = (
        parameters.count("steps"),
        steps_at_once(&recording.header.spec),
    );
    let start = threads
        .iter()
        .map(|t| t.number("start_ns"))
        .min()
        .unwrap_or(0);
    let ends = last_ends(threads);
    let wall = ends.last().map_or(0, |end| end - start);
    let befores = [start].into_iter().chain(ends.iter().copied());
    let samples = befores
        .zip(&ends)
        .enumerate()
        .flat_map(|(stamp, (before, end))| {
            let first = stamp as u64 * at_once;
            let made = first..(first + at_once).min(steps);
            let each = (end - before) / (made.end - made.start).max(1) as i64;
            made.map(move |index| Sample {
                value_ns: each,
                index,
                at_ns: (before - start) as u64,
            })
        });
    let updates = (parameters.count("masses") * parameters.count("substeps") * steps) as f64;
    let row = Row::of(label(recording), Distribution::of(samples))
        .with(&fact::WALL_NS, wall)
        .with(&fact::STEPS_AT_ONCE, at_once)
        .with(&fact::MASS_UPDATES_PER_S, updates * 1e9 / wall as f64)
        .with(&fact::ENERGY_UJ, energy(threads));
    with_facts(row, recording, threads)
}

/// Microjoules of all processor packages, as the last thread to look counted them.
fn energy(threads: &[Track]) -> Option<i64> {
    let counted = |track: &Track| track.attributes.get(&*fact::ENERGY_UJ)?.as_i64();
    threads.iter().filter_map(counted).max()
}

/// For each step the last thread's end; never before the step before it.
fn last_ends(threads: &[Track]) -> Vec<i64> {
    let steps = threads
        .first()
        .map_or(0, |track| track.values("end_ns").len());
    let mut latest = i64::MIN;
    (0..steps)
        .map(|step| {
            let ends = threads
                .iter()
                .filter_map(|track| track.values("end_ns").get(step));
            latest = ends.copied().fold(latest, i64::max);
            latest
        })
        .collect()
}
