//! The outputs of the user's own model after every step: kept in memory, written after the run.

use std::fmt::Write;

use model::Type;
use plan::{Recording, RunSpec, Track};
use rt::memory::Samples;
use serde_json::Value as Json;
use units::{Rate, harmless};

use super::setup::{Origin, Setup};
use super::texts::{self, WORDS};
use super::times::Times;
use super::variables::Value;
use crate::pace::Pace;
use crate::shape::{Holds, TrackShape};

/// Maximum number of numbers in one recording: 32 MB.
const MOST_NUMBERS: u64 = 4_000_000;
const BYTES: u64 = 8;
/// The column with the bits of the outputs, row after row.
const COLUMN: &str = "output_bits";
/// The model's time of the first row in seconds; without it, each row begins with its time.
const START: &str = "start_s";

units::named! {
    /// The types of columns in the order of a row, by the word before the names of their attributes.
    #[derive(Debug, Clone, Copy)]
    enum Content {
        Number = "output",
        Text = "text",
        Binary = "binary",
    }
}

impl Content {
    fn of(value: &Value) -> Self {
        match value.kind {
            Type::String => Self::Text,
            Type::Binary => Self::Binary,
            _ => Self::Number,
        }
    }

    fn words(self) -> usize {
        match self {
            Self::Number => 1,
            Self::Text | Self::Binary => WORDS,
        }
    }

    fn cell(self, words: &[i64]) -> String {
        match self {
            Self::Number => format!("{:?}", f64::from_bits(words[0] as u64)),
            Self::Text => quoted(&harmless(&String::from_utf8_lossy(&texts::kept(words)))),
            Self::Binary => texts::kept(words).iter().fold(String::new(), |mut all, byte| {
                let _ = write!(all, "{byte:02x}");
                all
            }),
        }
    }
}

fn quoted(cell: &str) -> String {
    format!("\"{}\"", cell.replace('"', "\"\""))
}

/// Records the outputs of the first instance in memory that is allocated before the first step.
pub(super) struct Recorder {
    bits: Samples,
    /// The time of the first row, if rows follow each other step by step.
    start: Option<f64>,
    /// Number of texts that were cut because they were too long to keep; `None` without texts.
    pub(super) cut: Option<u64>,
}

pub(super) fn bytes(spec: &RunSpec) -> u64 {
    if spec.record { MOST_NUMBERS * BYTES } else { 0 }
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

    fn with(numbers: u64, texts: usize, start: Option<f64>) -> Self {
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

/// Returns the attribute with the name of an output, by its position among the outputs of its type.
fn name_of(content: Content, place: usize) -> String {
    format!("{} {place}", content.name())
}

pub(super) fn shape(spec: &RunSpec, shape: TrackShape) -> TrackShape {
    if spec.record { shape.rows_or_none(MOST_NUMBERS, &[(COLUMN, Holds::Bits)]) } else { shape }
}

/// The outputs as comma-separated values, in the order of time; outputs of other clocks are empty.
pub(super) fn written(recording: &Recording) -> Result<String, String> {
    let rate = recording.header.spec.parameters.rate("rate").ok_or("--record: it has no rate")?;
    let is_recorded = |track: &&Track| track.columns.iter().any(|column| column.name == COLUMN);
    let tracks: Vec<&Track> = recording.tracks.iter().filter(is_recorded).collect();
    let mut names = Vec::new();
    let columns: Vec<_> = tracks.iter().map(|track| columns_of(track, &mut names)).collect();
    let rows = tracks.iter().zip(&columns).map(|(track, columns)| rows_of(track, rate, columns));
    let mut rows: Vec<RowAt> = rows.flatten().collect();
    if rows.is_empty() {
        return Err("--record: the run returned no outputs".to_owned());
    }
    rows.sort_by(|(left, ..), (right, ..)| left.total_cmp(right));
    let mut text = "time".to_owned();
    for name in &names {
        let _ = write!(text, ",{}", quoted(name));
    }
    text.push('\n');
    for (time, columns, mut bits) in rows {
        let mut cells = vec![String::new(); names.len()];
        for (column, content) in columns {
            let Some((own, rest)) = bits.split_at_checked(content.words()) else {
                break;
            };
            cells[*column] = content.cell(own);
            bits = rest;
        }
        let cells = cells.iter().flat_map(|cell| [",", cell]);
        let _ = writeln!(text, "{time:?}{}", cells.collect::<String>());
    }
    Ok(text)
}

/// Returns the column of each value of a thread's rows, and its type; adds new columns to `names`.
fn columns_of<'t>(track: &'t Track, names: &mut Vec<&'t str>) -> Vec<(usize, Content)> {
    let mut columns = Vec::new();
    for content in Content::ALL {
        let name = |place| track.attributes.get(&name_of(content, place))?.as_str();
        for name in (0..).map_while(name) {
            let known = names.iter().position(|known| *known == name);
            columns.push((known.unwrap_or(names.len()), content));
            if known.is_none() {
                names.push(name);
            }
        }
    }
    columns
}

/// Recorded outputs at one time of the model, with their columns.
type RowAt<'t> = (f64, &'t [(usize, Content)], &'t [i64]);

fn rows_of<'t>(track: &'t Track, rate: Rate, columns: &'t [(usize, Content)]) -> Vec<RowAt<'t>> {
    let words: usize = columns.iter().map(|(_, content)| content.words()).sum();
    let bits = track.values(COLUMN);
    match track.attributes.get(START).and_then(Json::as_f64) {
        Some(start) => {
            let times = Times::of(start, rate);
            let rows = (0..).zip(bits.chunks(words.max(1)));
            rows.map(|(number, bits)| (times.at(number), columns, bits)).collect()
        }
        None => {
            let rows = bits.chunks(1 + words).filter_map(|bits| bits.split_first());
            rows.map(|(time, bits)| (f64::from_bits(*time as u64), columns, bits)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use testing::models::{self, Version};

    use super::super::setup::tests::{fmu, spec};
    use super::*;
    use crate::measurement::tests::recording;
    use testing::refuses;

    #[test]
    fn impossible_recordings_are_refused() {
        let refused = |flags: &[(&str, &str)], seconds: u64| {
            let mut spec = spec(flags);
            spec.record = true;
            spec.asked.duration = units::Nanos(seconds * 1_000_000_000);
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
        spec.asked.duration = units::Nanos(100_000_000_000);
        let setup = Setup::of(&spec).unwrap();
        assert!(Recorder::of(&setup, 0, 2).unwrap().is_some());
        assert!(Recorder::of(&setup, 1, 2).unwrap().is_none());
        assert!(Recorder::of(&setup, 0, 480).is_err());
    }

    #[test]
    fn rows_are_written_with_every_digit() {
        let mut recorder =
            Recorder { bits: Samples::with_capacity(4), start: Some(0.5), cut: None };
        recorder.push(&[0.1 + 0.2, -1.0], &[]);
        recorder.push(&[1e300, 2.0], &[]);
        let names = ["a,1".to_owned(), "b".to_owned()];
        let track = recorder.onto(Track::new("model 0"), &names, &[]);
        let text = written(&recording(spec(&[("rate", "100Hz")]), vec![track])).unwrap();
        assert_eq!(text, "time,\"a,1\",\"b\"\n0.5,0.30000000000000004,-1.0\n0.51,1e300,2.0\n");
    }

    #[test]
    fn rows_of_clocks_are_in_the_order_of_time_with_gaps_for_other_clocks() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let recorded = |rows: &[&[f64]], names: &[String]| {
            let mut recorder = Recorder { bits: Samples::with_capacity(9), start: None, cut: None };
            rows.iter().for_each(|row| recorder.push(row, &[]));
            recorder.onto(Track::new("model"), names, &[])
        };
        let fast = recorded(&[&[0.1, 1.0, 2.0], &[0.2, 3.0, 4.0]], &names[..2]);
        let slow = recorded(&[&[0.2, 5.0, 6.0]], &names[1..]);
        let text = written(&recording(spec(&[]), vec![fast, slow])).unwrap();
        let expected = "time,\"a\",\"b\",\"c\"\n0.1,1.0,2.0,\n0.2,3.0,4.0,\n0.2,,5.0,6.0\n";
        assert_eq!(text, expected);
    }
}
