//! The real-fast run: steps as fast as possible.

use plan::{Recording, Row, Track};
use rt::clock;
use rt::memory::Samples;
use stats::{Distribution, Sample};
use tire::Worker;

use super::team::{self, Stepped};
use super::{label, with_facts};
use crate::{Abort, Bench};

pub(crate) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let steps = bench.spec.parameters.count("steps");
    team::run(bench, |worker| prepared(worker, steps))
}

/// What a solver thread brings back.
struct Stamps {
    start: u64,
    cpu_time: u64,
    ends: Samples,
}

/// The measured loop of one thread.
fn prepared(mut worker: Worker, steps: u64) -> impl FnOnce(u64) -> Stepped<Stamps> {
    worker.settle();
    let mut ends = Samples::with_capacity(steps as usize);
    move |start| {
        clock::sleep_until(start);
        let cpu_time = clock::thread_cpu_time();
        let start = clock::now();
        for _ in 0..steps {
            worker.step(&mut ())?;
            ends.push(clock::now());
        }
        let cpu_time = clock::thread_cpu_time() - cpu_time;
        let stamps = Stamps {
            start,
            cpu_time,
            ends,
        };
        Ok((worker, stamps))
    }
}

impl From<Stamps> for Track {
    fn from(stamps: Stamps) -> Self {
        Track::new("")
            .with("start_ns", stamps.start)
            .with("cpu_time_ns", stamps.cpu_time)
            .column("end_ns", stamps.ends.to_column())
    }
}

/// A step ends when its last thread ends it.
pub(crate) fn row(recording: &Recording) -> Row {
    let [threads @ .., _state] = &recording.tracks[..] else {
        return Row::default();
    };
    let start = threads
        .iter()
        .map(|t| t.number("start_ns"))
        .min()
        .unwrap_or(0);
    let ends = last_ends(threads);
    let wall = ends.last().map_or(0, |end| end - start);
    let befores = [start].into_iter().chain(ends.iter().copied());
    let steps = befores
        .zip(&ends)
        .enumerate()
        .map(|(index, (before, end))| Sample {
            value_ns: end - before,
            index: index as u64,
            at_ns: (before - start) as u64,
        });
    let masses = recording.header.spec.parameters.count("masses");
    let updates = (masses * ends.len() as u64) as f64;
    let row = Row::of(label(recording), Distribution::of(steps))
        .with("wall_ns", wall)
        .with("mass_updates_per_s", updates * 1e9 / wall as f64);
    with_facts(row, recording, threads)
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
