//! The outputs of a person's own model after every step: kept in memory, written after the run.

use std::fmt::Write;

use plan::{Recording, RunSpec, Track};
use rt::memory::Samples;
use serde_json::Value as Json;

use super::setup::{Origin, Setup};
use super::times::Times;
use crate::shape::{Holds, TrackShape};

/// Most numbers that one recording holds: 32 MB.
const MOST_NUMBERS: u64 = 4_000_000;
const BYTES: u64 = 8;
/// Bits of the outputs, row after row.
const COLUMN: &str = "output_bits";
/// The model's time of the first row, in seconds.
const START: &str = "start_s";

/// Keeps the outputs of the first instance, in memory that is there before the first step.
pub(super) struct Recorder {
    bits: Samples,
    times: Times,
}

/// What a recording takes in memory, in bytes.
pub(super) fn bytes(spec: &RunSpec) -> u64 {
    match spec.record {
        true => MOST_NUMBERS * BYTES,
        false => 0,
    }
}

/// Refuses what is too large, or what has nothing to be recorded.
pub(super) fn check(setup: &Setup) -> Result<(), String> {
    let Some(rows) = setup.recorded_rows else {
        return Ok(());
    };
    let numbers = rows.saturating_mul(setup.outputs.len() as u64);
    match setup.outputs.len() {
        0 if !matches!(setup.origin, Origin::Program(_)) => Err(format!(
            "--record: {} declares no outputs that could be recorded",
            setup.name
        )),
        _ if numbers > MOST_NUMBERS => Err(too_many(numbers)),
        _ => Ok(()),
    }
}

fn too_many(numbers: u64) -> String {
    format!(
        "--record: {numbers} numbers (outputs x steps), and {MOST_NUMBERS} is the most; ask for a \
         shorter time (--seconds) or a lower --rate"
    )
}

impl Recorder {
    /// That of the first thread; `None` where nothing is recorded.
    ///
    /// # Errors
    /// Where a program told of more outputs than there is room for.
    pub(super) fn of(setup: &Setup, thread: usize, outputs: usize) -> Result<Option<Self>, String> {
        let Some(rows) = setup.recorded_rows.filter(|_| thread == 0) else {
            return Ok(None);
        };
        let numbers = rows.saturating_mul(outputs as u64);
        match numbers <= MOST_NUMBERS {
            true => Ok(Some(Self {
                bits: Samples::with_capacity(numbers as usize),
                times: setup.times,
            })),
            false => Err(too_many(numbers)),
        }
    }

    /// Keeps a row: neither waits nor allocates.
    #[inline]
    pub(super) fn push(&mut self, outputs: &[f64]) {
        for output in outputs {
            self.bits.push(output.to_bits());
        }
    }

    /// A thread's track with what was recorded.
    pub(super) fn onto(&self, track: Track, names: &[String]) -> Track {
        let named = |track: Track, (place, name): (usize, &String)| {
            track.with(&name_of(place), name.as_str())
        };
        let track = track.with(START, self.times.start);
        names
            .iter()
            .enumerate()
            .fold(track, named)
            .column(COLUMN, self.bits.to_column())
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
    let times = Times {
        start: track
            .attributes
            .get(START)
            .and_then(Json::as_f64)
            .unwrap_or(0.0),
        step: spec.parameters.time("rate").0 as f64 / 1e9,
    };
    let mut text = "time".to_owned();
    for name in &names {
        // Names of variables may hold commas.
        let _ = write!(text, ",\"{}\"", name.replace('"', "\"\""));
    }
    text.push('\n');
    for (row, outputs) in track.values(COLUMN).chunks(names.len().max(1)).enumerate() {
        let _ = write!(text, "{:?}", times.at(row as u64));
        for bits in outputs {
            let _ = write!(text, ",{:?}", f64::from_bits(*bits as u64));
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use testing::models::{self, Version};

    use super::super::setup::tests::{fmu, spec};
    use super::*;
    use crate::measurement::tests::recording;

    #[test]
    fn what_cannot_be_recorded_is_refused() {
        let refused = |flags: &[(&str, &str)], seconds: u64| {
            let mut spec = spec(flags);
            spec.record = true;
            spec.asked.duration = units::Nanos(seconds * 1_000_000_000);
            check(&Setup::of(&spec).unwrap())
        };
        let fmu = fmu(Version::Two);
        assert_eq!(refused(&[("fmu", &fmu)], 1), Ok(()));
        let told = refused(&[("fmu", &fmu)], 10_000).unwrap_err();
        assert!(told.contains("30000006 numbers"), "{told}");
        let library = models::library(&[]);
        let told = refused(
            &[
                ("library", library.to_str().unwrap()),
                ("step", "plant_step"),
            ],
            1,
        )
        .unwrap_err();
        assert!(told.contains("declares no outputs"), "{told}");
        assert_eq!(refused(&[("program", "true")], 10_000), Ok(()));
    }

    #[test]
    fn a_program_with_more_outputs_than_there_is_room_for_is_refused() {
        let mut spec = spec(&[("program", "true")]);
        spec.record = true;
        spec.asked.duration = units::Nanos(100_000_000_000);
        let setup = Setup::of(&spec).unwrap();
        assert!(Recorder::of(&setup, 0, 2).unwrap().is_some());
        assert!(Recorder::of(&setup, 1, 2).unwrap().is_none());
        assert!(Recorder::of(&setup, 0, 480).is_err());
    }

    #[test]
    fn rows_are_written_with_every_digit() {
        let mut recorder = Recorder {
            bits: Samples::with_capacity(4),
            times: Times {
                start: 0.5,
                step: 0.01,
            },
        };
        recorder.push(&[0.1 + 0.2, -1.0]);
        recorder.push(&[1e300, 2.0]);
        let names = ["a,1".to_owned(), "b".to_owned()];
        let track = recorder.onto(Track::new("solver 0"), &names);
        let text = written(&recording(spec(&[("rate", "100Hz")]), vec![track])).unwrap();
        assert_eq!(
            text,
            "time,\"a,1\",\"b\"\n0.5,0.30000000000000004,-1.0\n0.51,1e300,2.0\n"
        );
    }
}
