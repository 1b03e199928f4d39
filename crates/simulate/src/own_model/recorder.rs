//! The outputs of the user's own model after every step: kept in memory, written after the run.

use bench::pace::Pace;
use bench::shape::{Holds, TrackShape};
use record::{RunSpec, Track};
use rt::memory::Samples;

use super::outputs::{COLUMN, Content, START, name_of};
use super::setup::{Origin, Setup};
use super::texts::{self, WORDS};
use super::variables::Value;

/// Maximum number of numbers in one recording: 32 MB.
pub(super) const MOST_NUMBERS: u64 = 4_000_000;
const BYTES: u64 = 8;

/// Records the outputs of the first instance in memory that is allocated before the first step.
pub(super) struct Recorder {
    bits: Samples,
    /// The time of the first row, if rows follow each other step by step.
    start: Option<f64>,
    /// Number of texts that were cut because they were too long to keep; `None` without texts.
    pub(super) cut: Option<u64>,
}

pub(super) fn bytes(spec: &RunSpec) -> u64 {
    match spec.record {
        // Those of the model, and those to which they are compared.
        true => 2 * MOST_NUMBERS * BYTES,
        false => 0,
    }
}

/// Refuses a recording that is too large or has no outputs; each clock may record all outputs.
pub(super) fn check(setup: &Setup, clocks: Option<&[Pace]>) -> Result<(), String> {
    let Some(rows) = setup.recorded_rows else {
        return Ok(());
    };
    let outputs = words(setup.outputs.len(), setup.texts.len());
    let numbers = match clocks {
        None => rows.saturating_mul(outputs),
        Some(paces) => {
            let ticks = paces.iter().map(|pace| pace.periods + 1);
            ticks.fold(0, u64::saturating_add).saturating_mul(1 + outputs)
        }
    };
    match outputs {
        0 if !matches!(setup.origin, Origin::Program(_)) => {
            Err(format!("--record: {} declares no outputs that could be recorded", setup.name))
        }
        _ if numbers > MOST_NUMBERS => Err(too_many(numbers)),
        _ => Ok(()),
    }
}

fn too_many(numbers: u64) -> String {
    format!(
        "--record: {numbers} numbers (outputs x steps, a text counts as {WORDS}), but at most \
         {MOST_NUMBERS} can be recorded; use a shorter time (--seconds) or a lower --rate"
    )
}

/// Returns the words of a row with this many numbers, and texts or binary values.
fn words(numbers: usize, texts: usize) -> u64 {
    (numbers + texts * WORDS) as u64
}

impl Recorder {
    /// `None` if nothing is recorded. Fails if a program reports more outputs than fit.
    pub(super) fn of(setup: &Setup, thread: usize, outputs: usize) -> Result<Option<Self>, String> {
        let Some(rows) = setup.recorded_rows.filter(|_| thread == 0) else {
            return Ok(None);
        };
        let texts = setup.texts.len();
        let numbers = rows.saturating_mul(words(outputs, texts));
        if numbers > MOST_NUMBERS {
            return Err(too_many(numbers));
        }
        Ok(Some(Self::with(numbers, texts, Some(setup.times.start))))
    }

    /// Has room for `rows` rows that begin with their time; `None` if nothing is recorded.
    pub(super) fn of_clock(setup: &Setup, rows: u64, outputs: usize, texts: usize) -> Option<Self> {
        let numbers = rows.saturating_mul(1 + words(outputs, texts)).min(MOST_NUMBERS);
        setup.recorded_rows.map(|_| Self::with(numbers, texts, None))
    }

    /// Has room for this many words; without the time of the first row, rows begin with theirs.
    pub(super) fn with(numbers: u64, texts: usize, start: Option<f64>) -> Self {
        let bits = Samples::with_capacity(numbers as usize);
        Self { bits, start, cut: (texts > 0).then_some(0) }
    }

    /// Adds a row without waiting or allocating.
    #[inline]
    pub(super) fn push(&mut self, outputs: &[f64], texts: &[u64]) {
        for output in outputs {
            self.bits.push(output.to_bits());
        }
        for text in texts.chunks_exact(WORDS) {
            text.iter().for_each(|word| self.bits.push(*word));
            self.cut = self.cut.map(|cut| cut + u64::from(texts::is_cut(text)));
        }
    }

    /// Adds what was recorded to a thread's track, with the names of the numbers and of the texts.
    pub(super) fn onto(&self, mut track: Track, names: &[String], texts: &[Value]) -> Track {
        let of_texts = texts.iter().map(|text| (Content::of(text), &text.name));
        let names = names.iter().map(|name| (Content::Number, name));
        let mut counts = [0; Content::ALL.len()];
        for (content, name) in names.chain(of_texts) {
            let place = &mut counts[content as usize];
            track = track.with(&name_of(content, *place), name.as_str());
            *place += 1;
        }
        if let Some(start) = self.start {
            track = track.with(START, start);
        }
        track.column(COLUMN, self.bits.to_column())
    }
}

pub(super) fn shape(spec: &RunSpec, shape: TrackShape) -> TrackShape {
    if spec.record { shape.rows_or_none(MOST_NUMBERS, &[(COLUMN, Holds::Words)]) } else { shape }
}

#[cfg(test)]
mod tests {
    use testing::models::{self, Version};

    use super::super::setup::tests::{fmu, spec};
    use super::*;
    use testing::refuses;

    #[test]
    fn impossible_recordings_are_refused() {
        let refused = |flags: &[(&str, &str)], seconds: u64| {
            let mut spec = spec(flags);
            spec.record = true;
            spec.asked.duration = base::Nanos(seconds * 1_000_000_000);
            check(&Setup::of(&spec).unwrap(), None)
        };
        let fmu = fmu(Version::Two);
        assert_eq!(refused(&[("fmu", &fmu)], 1), Ok(()));
        refuses(refused(&[("fmu", &fmu)], 10_000), "30000006 numbers");
        let library = models::library(&[]);
        let error = refused(&[("library", library.to_str().unwrap()), ("step", "plant_step")], 1)
            .unwrap_err();
        assert!(
            error.starts_with("--record: ") && error.contains("declares no outputs"),
            "{error}"
        );
        assert_eq!(refused(&[("program", "true")], 10_000), Ok(()));
    }

    #[test]
    fn a_program_with_more_outputs_than_there_is_room_for_is_refused() {
        let mut spec = spec(&[("program", "true")]);
        spec.record = true;
        spec.asked.duration = base::Nanos(100_000_000_000);
        let setup = Setup::of(&spec).unwrap();
        assert!(Recorder::of(&setup, 0, 2).unwrap().is_some());
        assert!(Recorder::of(&setup, 1, 2).unwrap().is_none());
        assert!(Recorder::of(&setup, 0, 480).is_err());
    }
}
