//! The reference of `--check`: outputs over time that another program has computed, in a track of
//! the recording.

use std::fmt::Display;

use bench::shape::{Holds, TrackShape};
use record::{NOWHERE, RunSpec, Track};
use rt::read;

use super::csv;
use super::outputs::{ABSENT, Content, REFERENCE};
use super::recorder::{MOST_NUMBERS, Recorder};
use super::setup::{LARGEST_INPUT, Origin, Setup, file};
use super::texts::{self, WORDS};
use super::variables::Value;

pub(super) const CHECK: &str = "check";
pub(super) const TOLERANCE: &str = "tolerance";

/// By how much an output may differ from its reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tolerance {
    relative: f64,
    /// `None`: the relative part of the column's largest magnitude.
    absolute: Option<f64>,
}

impl Tolerance {
    /// Reads `REL` or `REL+ABS`, two numbers from 0.
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let typed = spec.parameters.word(TOLERANCE);
        let (relative, absolute) = separated(typed);
        let number = |text: &str| csv::number(text).filter(|number| *number >= 0.0);
        let absolute = absolute.map(number);
        match (number(relative), absolute) {
            (Some(relative), None) => Ok(Self { relative, absolute: None }),
            (Some(relative), Some(Some(absolute))) => {
                Ok(Self { relative, absolute: Some(absolute) })
            }
            _ => Err(format!("--{TOLERANCE}: `{typed}` is not REL or REL+ABS, such as 1e-4+1e-9")),
        }
    }

    /// Returns the allowed difference from a value in a column with that largest magnitude.
    pub(super) fn allowed(self, reference: f64, largest: f64) -> f64 {
        let absolute = self.absolute.unwrap_or(self.relative * largest);
        self.relative * reference.abs() + absolute
    }
}

/// Separates two numbers at the plus sign between them, which may also be in an exponent.
fn separated(typed: &str) -> (&str, Option<&str>) {
    let is_between = |(at, _): &(usize, &str)| !typed[..*at].ends_with(['e', 'E']) && *at > 0;
    match typed.match_indices('+').find(is_between) {
        Some((at, _)) => (&typed[..at], Some(&typed[at + 1..])),
        None => (typed, None),
    }
}

pub(super) fn is_requested(spec: &RunSpec) -> bool {
    !matches!(spec.parameters.word(CHECK), "" | NOWHERE)
}

/// Returns the shape of the track of the state, to which the reference may belong.
pub(super) fn shape(spec: &RunSpec, state: TrackShape) -> TrackShape {
    let with = |state: TrackShape| state.rows_if_any(MOST_NUMBERS, &[(REFERENCE, Holds::Bits)]);
    if is_requested(spec) { with(state) } else { state }
}

/// Adds a reference to the track of the state.
pub(super) fn add(reference: Track, tracks: &mut [Track]) {
    if let Some(state) = tracks.iter_mut().find(|track| track.name == "state") {
        state.attributes.extend(reference.attributes);
        state.columns.extend(reference.columns);
    }
}

/// Reads the reference of a run, if it has one.
pub(super) fn track(spec: &RunSpec, setup: &Setup) -> Result<Option<Track>, String> {
    if !is_requested(spec) {
        return Ok(None);
    }
    Tolerance::of(spec)?;
    let path = file(spec, CHECK)?;
    let name = spec.parameters.word(CHECK);
    let named = |error: &dyn Display| format!("--{CHECK}: {name}: {error}");
    let text = read::bounded(&path, LARGEST_INPUT).map_err(|error| named(&error))?;
    let text = String::from_utf8(text).map_err(|_| named(&"it is not text (UTF-8)"))?;
    read(&text, setup).map(Some).map_err(|error| named(&error))
}

/// A column of the file, and the outputs that its cells contain: several if it is an array.
struct Column {
    content: Content,
    outputs: Vec<String>,
}

fn read(text: &str, setup: &Setup) -> Result<Track, String> {
    let mut lines = csv::lines(text);
    let (_, head) = lines.next().ok_or("it is empty")?;
    let mut names = csv::cells(head).map_err(|why| format!("in its first line {why}"))?.into_iter();
    let first = names.next().unwrap_or_default();
    if first != "time" {
        return Err(format!("its first column is `{first}`; expected `time`"));
    }
    let columns: Vec<Option<Column>> = names.map(|name| column(name, setup)).collect();
    let mut rows = Rows::of(&columns, setup)?;
    for (number, line) in lines {
        let read = csv::cells(line).and_then(|cells| rows.add(&cells, &columns));
        read.map_err(|why| format!("line {number}: {why}"))?;
    }
    rows.track()
}

/// Returns what a column contains; `None` if the model has no such output. Those of a program are
/// known only when it runs.
fn column(name: String, setup: &Setup) -> Option<Column> {
    let all = || setup.outputs.iter().chain(&setup.texts);
    if matches!(setup.origin, Origin::Program(_)) {
        return Some(Column { content: Content::Number, outputs: vec![name] });
    }
    let elements = format!("{name}[");
    let one: Vec<&Value> = all().filter(|output| output.name == name).take(1).collect();
    let of_array = || all().filter(|output| output.name.starts_with(&elements)).collect();
    let outputs = if one.is_empty() { of_array() } else { one };
    Some(Column {
        content: Content::of(outputs.first()?),
        outputs: outputs.iter().map(|output| output.name.clone()).collect(),
    })
}

/// The rows that have been read, as words in the order of a recording: time, numbers, texts.
struct Rows {
    recorder: Recorder,
    names: Vec<String>,
    texts: Vec<Value>,
    last: f64,
    numbers: u64,
}

impl Rows {
    fn of(columns: &[Option<Column>], setup: &Setup) -> Result<Self, String> {
        let outputs = |is_wanted: fn(Content) -> bool| {
            let columns = columns.iter().flatten().filter(move |one| is_wanted(one.content));
            columns.flat_map(|one| one.outputs.clone()).collect::<Vec<String>>()
        };
        let names = outputs(|content| matches!(content, Content::Number));
        let texts = setup.texts.iter();
        let wanted = outputs(|content| !matches!(content, Content::Number));
        let texts: Vec<Value> = texts.filter(|text| wanted.contains(&text.name)).cloned().collect();
        if names.is_empty() && texts.is_empty() {
            let all = setup.outputs.iter().chain(&setup.texts).map(|output| output.name.as_str());
            let expected = base::expected("", all);
            return Err(format!("none of its columns is an output of {}; {expected}", setup.name));
        }
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = names.iter().chain(&wanted).find(|name| !seen.insert(*name)) {
            return Err(format!("it has two columns `{twice}`"));
        }
        let recorder = Recorder::with(MOST_NUMBERS, texts.len(), None);
        Ok(Self { recorder, names, texts, last: f64::NEG_INFINITY, numbers: 0 })
    }

    fn add(&mut self, cells: &[String], columns: &[Option<Column>]) -> Result<(), String> {
        if cells.len() != columns.len() + 1 {
            return Err("it does not have one value for each name in the first line".to_owned());
        }
        let time = csv::number(&cells[0]).ok_or("its time is not a finite number")?;
        if time < self.last {
            return Err("its time is before that of the previous line".to_owned());
        }
        self.last = time;
        let mut numbers = vec![time];
        let mut words = vec![0; self.texts.len() * WORDS];
        for (cell, column) in cells[1..].iter().zip(columns) {
            match column {
                None => {}
                Some(Column { content: Content::Number, outputs }) => {
                    numbers.extend(numbers_in(cell, outputs)?);
                }
                Some(Column { content, outputs }) => {
                    let place = self.texts.iter().position(|text| text.name == outputs[0]);
                    let at = place.unwrap_or(0) * WORDS;
                    texts::keep(&mut words[at..], &bytes_of(cell, *content)?);
                }
            }
        }
        self.numbers += (numbers.len() + words.len()) as u64;
        if self.numbers > MOST_NUMBERS {
            return Err(format!("it has more than {MOST_NUMBERS} numbers; leave out rows"));
        }
        self.recorder.push(&numbers, &words);
        Ok(())
    }

    fn track(self) -> Result<Track, String> {
        if self.numbers == 0 {
            return Err("it has no values".to_owned());
        }
        let mut track = self.recorder.onto(Track::new(""), &self.names, &self.texts);
        track.columns.iter_mut().for_each(|column| REFERENCE.clone_into(&mut column.name));
        Ok(track)
    }
}

/// Reads the numbers of a cell, which are separated by spaces; an empty cell has none.
fn numbers_in(cell: &str, outputs: &[String]) -> Result<Vec<f64>, String> {
    if cell.is_empty() {
        return Ok(vec![ABSENT; outputs.len()]);
    }
    let numbers = csv::numbers(cell).ok_or_else(|| format!("`{cell}` is not a finite number"))?;
    match numbers.len() == outputs.len() {
        true => Ok(numbers),
        false => Err(format!(
            "`{}` has {} values instead of {}",
            outputs[0],
            numbers.len(),
            outputs.len()
        )),
    }
}

fn bytes_of(cell: &str, content: Content) -> Result<Vec<u8>, String> {
    if !matches!(content, Content::Binary) {
        return Ok(cell.as_bytes().to_vec());
    }
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = cell.as_bytes().chunks(2).map(byte).collect();
    bytes.ok_or_else(|| format!("`{cell}` is not made of hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use testing::models::Version;
    use testing::refuses;

    use super::super::setup::tests::{fmu, spec};
    use super::*;

    fn track_of(text: &str) -> Result<Track, String> {
        let mut spec = spec(&[("fmu", &*fmu(Version::Two))]);
        spec.record = true;
        read(text, &Setup::of(&spec).unwrap())
    }

    #[test]
    fn a_reference_has_the_columns_that_are_outputs() {
        let track = track_of("\"time\",\"other\",\"y\"\n0,abc,1.5\n0.1,,\n").unwrap();
        assert_eq!(track.attributes["output 0"], "y");
        let numbers: Vec<f64> = track
            .values(REFERENCE)
            .iter()
            .map(|bits| f64::from_bits(bits.cast_unsigned()))
            .collect();
        assert_eq!(numbers, [0.0, 1.5, 0.1, ABSENT]);
    }

    #[test]
    fn an_invalid_reference_is_refused_with_its_line() {
        for (text, why) in [
            ("", "empty"),
            ("Time,y\n", "`Time`; expected `time`"),
            ("time,z\n0,1\n", "none of its columns is an output"),
            ("time,y,y\n0,1,1\n", "two columns `y`"),
            ("time,y\n", "no values"),
            ("time,y\n0,x\n", "line 2: `x` is not a finite number"),
            ("time,y\n0,1 2\n", "line 2: `y` has 2 values instead of 1"),
            ("time,y\n0\n", "line 2"),
            ("time,y\n1,1\n0,1\n", "line 3: its time is before"),
        ] {
            refuses(track_of(text), why);
        }
    }

    #[test]
    fn a_tolerance_is_one_number_or_two() {
        let of = |typed| Tolerance::of(&spec(&[("tolerance", typed)]));
        assert_eq!(of("1e+1+2e+2").unwrap().allowed(-3.0, 50.0), 230.0);
        assert_eq!(of("0.5").unwrap().allowed(-4.0, 10.0), 7.0);
        for typed in ["-1", "1+-1", "x", "1+", "nan", "1+2+3"] {
            refuses(of(typed), "is not REL or REL+ABS");
        }
    }

    #[test]
    fn odd_references_are_read_or_refused() {
        let mut spec = spec(&[("fmu", &*fmu(Version::Two))]);
        spec.record = true;
        let setup = Setup::of(&spec).unwrap();
        let seeds =
            ["\"time\",\"other\",\"y\"\n0,abc,1.5\n0.1,,\n", "time,y\n0,-1e-3\n1,NaN\n2,3 4\n"];
        testing::try_corpus(&seeds, 2_000, |input| {
            let _ = read(&String::from_utf8_lossy(input), &setup);
        });
    }
}
