//! The outputs of a person's own model after every step: kept in memory, written after the run.

use std::fmt::Write;

use plan::{Recording, RunSpec, Track};
use rt::memory::Samples;

use super::setup::{Origin, Setup};
use crate::model::steps;
use crate::shape::{Holds, TrackShape};

/// Most numbers that one recording holds: 32 MB.
const MOST_NUMBERS: u64 = 4_000_000;
const BYTES: u64 = 8;
/// Bits of the outputs, row after row.
const COLUMN: &str = "output_bits";

/// Keeps the outputs of the first instance, in memory that is there before the first step.
pub(super) struct Recorder(Samples);

/// The state after initialisation, that after the first step, and those after the measured ones.
fn rows(spec: &RunSpec) -> u64 {
    steps(spec).saturating_add(2)
}

/// What a recording takes in memory, in bytes.
pub(super) fn bytes(spec: &RunSpec) -> u64 {
    match spec.record {
        true => MOST_NUMBERS * BYTES,
        false => 0,
    }
}

/// Refuses what is too large, or what has nothing to be recorded.
pub(super) fn check(spec: &RunSpec, setup: &Setup) -> Result<(), String> {
    let numbers = rows(spec).saturating_mul(setup.outputs.len() as u64);
    match setup.outputs.len() {
        _ if !spec.record => Ok(()),
        0 if !matches!(setup.origin, Origin::Program(_)) => Err(format!(
            "--record: {} declares no outputs that could be recorded",
            setup.name
        )),
        _ if numbers > MOST_NUMBERS => Err(format!(
            "--record: {numbers} numbers (outputs x steps), and {MOST_NUMBERS} is the most; ask \
             for a shorter time (--seconds) or a lower --rate"
        )),
        _ => Ok(()),
    }
}

impl Recorder {
    /// That of the first thread; `None` where nothing is recorded.
    pub(super) fn of(setup: &Setup, thread: usize, outputs: usize) -> Option<Self> {
        let numbers = setup.recorded_rows?.saturating_mul(outputs as u64);
        let room = numbers.min(MOST_NUMBERS) as usize;
        (thread == 0).then(|| Self(Samples::with_capacity(room)))
    }

    /// How many rows there are, where rows are recorded.
    pub(super) fn rows(spec: &RunSpec) -> Option<u64> {
        spec.record.then(|| rows(spec))
    }

    /// Keeps a row: neither waits nor allocates.
    #[inline]
    pub(super) fn push(&mut self, outputs: &[f64]) {
        for output in outputs {
            self.0.push(output.to_bits());
        }
    }

    /// A thread's track with what was recorded.
    pub(super) fn onto(&self, track: Track, names: &[String]) -> Track {
        let named = |track: Track, (place, name): (usize, &String)| {
            track.with(&name_of(place), name.as_str())
        };
        names
            .iter()
            .enumerate()
            .fold(track, named)
            .column(COLUMN, self.0.to_column())
    }
}

/// The attribute that tells the name of an output.
fn name_of(place: usize) -> String {
    format!("output {place}")
}

/// The shape of a thread's track with what is recorded.
pub(super) fn shape(spec: &RunSpec, shape: TrackShape) -> TrackShape {
    match spec.record {
        true => shape.rows_or_none(MOST_NUMBERS, &[(COLUMN, Holds::Bits)]),
        false => shape,
    }
}

/// The outputs after each step, as comma-separated values.
pub(super) fn written(recording: &Recording) -> Result<String, String> {
    let spec = &recording.header.spec;
    let track = recording.tracks.iter();
    let track = track.max_by_key(|track| track.values(COLUMN).len());
    let track = track.ok_or_else(|| "--record: the run brought no outputs back".to_owned())?;
    let name = |place| track.attributes.get(&name_of(place))?.as_str();
    let names: Vec<&str> = (0..).map_while(name).collect();
    let step = spec.parameters.time("rate").0 as f64 / 1e9;
    let mut text = "time".to_owned();
    for name in &names {
        // Names of variables may hold commas.
        let _ = write!(text, ",\"{}\"", name.replace('"', "\"\""));
    }
    text.push('\n');
    for (row, outputs) in track.values(COLUMN).chunks(names.len().max(1)).enumerate() {
        let _ = write!(text, "{:?}", row as f64 * step);
        for bits in outputs {
            let _ = write!(text, ",{:?}", f64::from_bits(*bits as u64));
        }
        text.push('\n');
    }
    Ok(text)
}
