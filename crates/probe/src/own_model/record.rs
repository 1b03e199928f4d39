//! The outputs of a person's own model after every step: kept in memory, written after the run.

use std::fmt::Write;
use std::rc::Rc;

use model::Type;
use plan::{Recording, RunSpec, Track};
use rt::memory::Samples;
use serde_json::Value as Json;
use units::harmless;

use super::setup::{Origin, Setup};
use super::texts::{self, WORDS};
use super::times::Times;
use super::variables::Value;
use crate::pace::Pace;
use crate::shape::{Holds, TrackShape};

/// Most numbers that one recording holds: 32 MB.
const MOST_NUMBERS: u64 = 4_000_000;
const BYTES: u64 = 8;
/// Bits of the outputs, row after row.
const COLUMN: &str = "output_bits";
/// The model's time of the first row, in seconds; without it each row begins with its own time.
const START: &str = "start_s";

/// What stands in a column of a record.
#[derive(Debug, Clone, Copy)]
enum Content {
    Number,
    Text,
    Binary,
}

impl Content {
    /// All, in the order of a row, with the words by which a track tells the names of its columns.
    const ALL: [(Self, &str); 3] =
        [(Self::Number, "output"), (Self::Text, "text"), (Self::Binary, "binary")];

    fn of(value: &Value) -> Self {
        match value.kind {
            Type::String => Self::Text,
            Type::Binary => Self::Binary,
            _ => Self::Number,
        }
    }

    /// Words that it takes in a row.
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

/// A cell that may hold commas.
fn quoted(cell: &str) -> String {
    format!("\"{}\"", cell.replace('"', "\"\""))
}

/// Keeps the outputs of the first instance, in memory that is there before the first step.
pub(super) struct Recorder {
    bits: Samples,
    /// The time of the first row, where rows follow each other step by step.
    start: Option<f64>,
    /// Texts that were longer than what is kept of them; `None` where there are none.
    cut: Option<u64>,
}

/// What a recording takes in memory, in bytes.
pub(super) fn bytes(spec: &RunSpec) -> u64 {
    match spec.record {
        true => MOST_NUMBERS * BYTES,
        false => 0,
    }
}

/// Refuses what is too large, or what has nothing to be recorded; the clocks of a model may all
/// record all outputs.
pub(super) fn check(setup: &Setup, clocks: Option<&[Pace]>) -> Result<(), String> {
    let Some(rows) = setup.recorded_rows else {
        return Ok(());
    };
    let outputs = words(setup.outputs.len(), setup.texts.len());
    let numbers = match clocks {
        None => rows.saturating_mul(outputs),
        Some(paces) => {
            let ticks = paces.iter().map(|pace| pace.periods);
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
        "--record: {numbers} numbers (outputs x steps, a text as {WORDS} of them), and \
         {MOST_NUMBERS} is the most; ask for a shorter time (--seconds) or a lower --rate"
    )
}

/// Words of a row with so many numbers, and texts or binary data.
fn words(numbers: usize, texts: usize) -> u64 {
    (numbers + texts * WORDS) as u64
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
        let texts = setup.texts.len();
        let numbers = rows.saturating_mul(words(outputs, texts));
        match numbers <= MOST_NUMBERS {
            true => Ok(Some(Self::with(numbers, texts, Some(setup.times.start)))),
            false => Err(too_many(numbers)),
        }
    }

    /// That of a clock with so many ticks, whose rows begin with their time; `None` where nothing
    /// is recorded.
    pub(super) fn of_clock(
        setup: &Setup,
        ticks: u64,
        outputs: usize,
        texts: usize,
    ) -> Option<Self> {
        let numbers = ticks.saturating_mul(1 + words(outputs, texts));
        let numbers = numbers.min(MOST_NUMBERS);
        setup.recorded_rows.map(|_| Self::with(numbers, texts, None))
    }

    fn with(numbers: u64, texts: usize, start: Option<f64>) -> Self {
        Self {
            bits: Samples::with_capacity(numbers as usize),
            start,
            cut: (texts > 0).then_some(0),
        }
    }

    /// Keeps a row: neither waits nor allocates.
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

    /// How many texts were longer than what is kept of them; `None` where there are none.
    pub(super) fn cut(&self) -> Option<u64> {
        self.cut
    }

    /// A thread's track with what was recorded, under these names of numbers, and of texts.
    pub(super) fn onto(&self, track: Track, names: &[String], texts: &[Value]) -> Track {
        let of_texts = texts.iter().map(|text| (Content::of(text), &text.name));
        let names = names.iter().map(|name| (Content::Number, name));
        let track = match self.start {
            Some(start) => track.with(START, start),
            None => track,
        };
        let mut counts = [0; Content::ALL.len()];
        let named = |track: Track, (content, name): (Content, &String)| {
            let place = &mut counts[content as usize];
            *place += 1;
            track.with(&name_of(content, *place - 1), name.as_str())
        };
        names.chain(of_texts).fold(track, named).column(COLUMN, self.bits.to_column())
    }
}

/// The attribute that tells the name of an output, by its place among those like it.
fn name_of(content: Content, place: usize) -> String {
    let (_, word) = Content::ALL[content as usize];
    format!("{word} {place}")
}

/// The shape of a thread's track with what is recorded.
pub(super) fn shape(spec: &RunSpec, shape: TrackShape) -> TrackShape {
    match spec.record {
        true => shape.rows_or_none(MOST_NUMBERS, &[(COLUMN, Holds::Bits)]),
        false => shape,
    }
}

/// Some of the outputs at a time of the model.
struct RowAt<'t> {
    time: f64,
    /// The column of each value, and what it holds.
    columns: Rc<[(usize, Content)]>,
    bits: &'t [i64],
}

/// The outputs after each step, as comma-separated values; those of several clocks in the order
/// of the model's time, where an output that does not belong to the clock has no value.
pub(super) fn written(recording: &Recording) -> Result<String, String> {
    let step = recording.header.spec.parameters.time("rate").0 as f64 / 1e9;
    let (mut names, mut rows) = (Vec::new(), Vec::new());
    let is_recorded = |track: &&Track| track.columns.iter().any(|column| column.name == COLUMN);
    for track in recording.tracks.iter().filter(is_recorded) {
        rows.extend(rows_of(track, step, &mut names));
    }
    if rows.is_empty() {
        return Err("--record: the run brought no outputs back".to_owned());
    }
    rows.sort_by(|one, other| one.time.total_cmp(&other.time));
    let mut text = "time".to_owned();
    for name in &names {
        let _ = write!(text, ",{}", quoted(name));
    }
    text.push('\n');
    for RowAt { time, columns, mut bits } in rows {
        let mut cells = vec![String::new(); names.len()];
        for (column, content) in columns.iter() {
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

/// The rows of a thread, whose outputs have columns under their names.
fn rows_of<'t>(track: &'t Track, step: f64, names: &mut Vec<&'t str>) -> Vec<RowAt<'t>> {
    let named = |(content, _): (Content, &str)| {
        let name = move |place| track.attributes.get(&name_of(content, place))?.as_str();
        (0..).map_while(name).map(move |name| (name, content))
    };
    let mut column = |(name, content)| {
        let known = names.iter().position(|known| *known == name);
        let place = known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        (place, content)
    };
    let columns = Content::ALL.into_iter().flat_map(named);
    let columns: Rc<[(usize, Content)]> = columns.map(&mut column).collect();
    let words = columns.iter().map(|(_, content)| content.words());
    let words: usize = words.sum();
    let start = track.attributes.get(START).and_then(Json::as_f64);
    let bits = track.values(COLUMN);
    let row = |time, bits| RowAt { time, columns: columns.clone(), bits };
    match start {
        Some(start) => {
            let times = Times { start, step };
            let rows = (0..).zip(bits.chunks(words.max(1)));
            rows.map(|(number, bits)| row(times.at(number), bits)).collect()
        }
        None => {
            let rows = bits.chunks(1 + words);
            let rows = rows.filter_map(|bits| bits.split_first());
            rows.map(|(time, bits)| row(f64::from_bits(*time as u64), bits)).collect()
        }
    }
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
            check(&Setup::of(&spec).unwrap(), None)
        };
        let fmu = fmu(Version::Two);
        assert_eq!(refused(&[("fmu", &fmu)], 1), Ok(()));
        let told = refused(&[("fmu", &fmu)], 10_000).unwrap_err();
        assert!(told.contains("30000006 numbers"), "{told}");
        let library = models::library(&[]);
        let told = refused(&[("library", library.to_str().unwrap()), ("step", "plant_step")], 1)
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
        let mut recorder =
            Recorder { bits: Samples::with_capacity(4), start: Some(0.5), cut: None };
        recorder.push(&[0.1 + 0.2, -1.0], &[]);
        recorder.push(&[1e300, 2.0], &[]);
        let names = ["a,1".to_owned(), "b".to_owned()];
        let track = recorder.onto(Track::new("solver 0"), &names, &[]);
        let text = written(&recording(spec(&[("rate", "100Hz")]), vec![track])).unwrap();
        assert_eq!(text, "time,\"a,1\",\"b\"\n0.5,0.30000000000000004,-1.0\n0.51,1e300,2.0\n");
    }

    #[test]
    fn rows_of_clocks_are_in_the_order_of_time_with_gaps_where_an_output_is_anothers() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let recorded = |rows: &[&[f64]], names: &[String]| {
            let mut recorder = Recorder { bits: Samples::with_capacity(9), start: None, cut: None };
            rows.iter().for_each(|row| recorder.push(row, &[]));
            recorder.onto(Track::new("solver"), names, &[])
        };
        let fast = recorded(&[&[0.1, 1.0, 2.0], &[0.2, 3.0, 4.0]], &names[..2]);
        let slow = recorded(&[&[0.2, 5.0, 6.0]], &names[1..]);
        let text = written(&recording(spec(&[]), vec![fast, slow])).unwrap();
        let expected = "time,\"a\",\"b\",\"c\"\n0.1,1.0,2.0,\n0.2,3.0,4.0,\n0.2,,5.0,6.0\n";
        assert_eq!(text, expected);
    }
}
