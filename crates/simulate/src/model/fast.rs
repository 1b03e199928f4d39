//! The real-fast run: steps are computed as fast as possible.

use bench::shape::{Holds, TrackShape};
use bench::{Abort, Bench};
use record::{Recording, Row, RunSpec, Track, fact};
use rt::clock;
use rt::energy::EnergyMeter;
use rt::memory::Samples;
use stats::{Distribution, Sample};

use super::team::{self, Stepped};
use super::{Model, Part, paced};

/// A stamp follows every `steps_at_once` steps: fused steps must not be stopped in between.
pub(crate) fn run<M: Model>(
    bench: &Bench,
    model: &mut M,
    steps_at_once: u64,
) -> Result<Vec<Track>, Abort> {
    let steps = super::steps(&bench.spec);
    team::run(bench, model, |_, part| prepared(part, steps, steps_at_once))
}

struct Stamps {
    start: u64,
    cpu_time: u64,
    energy_uj: Option<u64>,
    ends: Samples,
}

fn prepared<P: Part>(
    mut part: P,
    steps: u64,
    at_once: u64,
) -> impl FnOnce(u64) -> Stepped<P, Stamps> {
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
            part.run(now)?;
            ends.push(clock::now());
            part.after(None);
            left -= now;
        }
        let cpu_time = clock::thread_cpu_time() - cpu_time;
        let energy_uj = meter.as_ref().and_then(EnergyMeter::microjoules);
        let stamps = Stamps { start, cpu_time, ends, energy_uj };
        part.finish();
        Ok((part, stamps))
    }
}

impl From<Stamps> for Track {
    fn from(stamps: Stamps) -> Self {
        Track::new("")
            .with("start_ns", stamps.start)
            .with(&fact::CPU_TIME_NS, stamps.cpu_time)
            .with(&fact::ENERGY_UJ, stamps.energy_uj)
            .column("end_ns", stamps.ends.to_column())
    }
}

pub(super) fn shape(spec: &RunSpec, steps_at_once: u64, shape: TrackShape) -> TrackShape {
    let passes = super::steps(spec).div_ceil(steps_at_once);
    shape
        .fact("start_ns", Holds::Stamps)
        .fact(&fact::CPU_TIME_NS, Holds::Times)
        .rows(passes, &[("end_ns", Holds::Stamps)])
        .rows_if_any(passes, &[(paced::NOT_MADE, Holds::RisingUpTo(passes))])
}

/// A step ends with its last thread. Steps that were computed in one call share its time evenly.
pub(super) fn row(recording: &Recording, tracks: &[Track], at_once: u64, label: String) -> Row {
    let [threads @ .., _state] = tracks else {
        return Row::default();
    };
    let steps = super::steps(&recording.header.spec);
    let start = threads.iter().map(|t| t.number("start_ns")).min().unwrap_or(0);
    let ends = last_ends(threads);
    let wall = ends.last().map_or(0, |end| end - start);
    let befores = [start].into_iter().chain(ends.iter().copied());
    let samples = befores.zip(&ends).enumerate().flat_map(|(stamp, (before, end))| {
        let first = stamp as u64 * at_once;
        let made = first..(first + at_once).min(steps);
        let each = (end - before) / (made.end - made.start).max(1) as i64;
        made.map(move |index| Sample { value_ns: each, index, at_ns: (before - start) as u64 })
    });
    Row::of(label, Distribution::of(samples))
        .with(&fact::WALL_NS, wall)
        .with(&fact::STEPS_AT_ONCE, at_once)
        .with(&fact::ENERGY_UJ, energy(threads))
}

/// Returns the energy of all packages in microjoules, as counted by the last thread that read it.
fn energy(threads: &[Track]) -> Option<i64> {
    let counted = |track: &Track| track.attributes.get(&*fact::ENERGY_UJ)?.as_i64();
    threads.iter().filter_map(counted).max()
}

/// Returns each step's end in its last thread, never before the end of the previous step.
fn last_ends(threads: &[Track]) -> Vec<i64> {
    let mut ends = paced::last_ends(threads);
    for step in 1..ends.len() {
        ends[step] = ends[step].max(ends[step - 1]);
    }
    ends
}
