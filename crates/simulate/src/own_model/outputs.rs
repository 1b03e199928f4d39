//! Recorded outputs over time, as they are in a recording.

use std::fmt::Write;

use base::{Rate, harmless};
use model_file::Type;
use record::{Recording, Track};
use serde_json::Value as Json;

use super::texts::{self, WORDS};
use super::times::Times;
use super::variables::Value;

/// The column with the bits of the outputs, row after row.
pub(super) const COLUMN: &str = "output_bits";
/// The model's time of the first row in seconds; without it, each row begins with its time.
pub(super) const START: &str = "start_s";
/// The column of the state with the bits of the reference to which outputs are compared.
pub(super) const REFERENCE: &str = "reference_bits";
/// The number that stands for an empty cell of the reference.
pub(super) const ABSENT: f64 = f64::MAX;

base::named! {
    /// The types of columns in the order of a row, by the word before the names of their attributes.
    #[derive(Debug, Clone, Copy)]
    pub(super) enum Content {
        Number = "output",
        Text = "text",
        Binary = "binary",
    }
}

impl Content {
    pub(super) fn of(value: &Value) -> Self {
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

/// Returns the attribute with the name of an output, by its position among the outputs of its type.
pub(super) fn name_of(content: Content, place: usize) -> String {
    format!("{} {place}", content.name())
}

/// A recorded value; an empty cell is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'t> {
    content: Content,
    words: &'t [i64],
}

impl Cell<'_> {
    pub(super) fn number(self) -> Option<f64> {
        let number = f64::from_bits(self.words[0].cast_unsigned());
        matches!(self.content, Content::Number).then_some(number)
    }

    /// Returns whether both are texts or binary values whose kept bytes are equal.
    pub(super) fn is_same_text(self, other: Cell) -> bool {
        let [own, others] = [self, other].map(|cell| (cell.number(), texts::kept(cell.words)));
        own.0.is_none() && others.0.is_none() && own.1 == others.1
    }

    /// Returns the cell as it is written in a file of comma-separated values.
    pub(super) fn text(self) -> String {
        self.content.cell(self.words)
    }
}

/// The rows of one or more tracks, in the order of time.
pub(super) struct Outputs<'t> {
    pub(super) names: Vec<&'t str>,
    /// The column and type of each value in the rows of each track.
    columns: Vec<Vec<(usize, Content)>>,
    rows: Vec<RowAt<'t>>,
}

/// A row at one time of the model, with the number of its track.
#[derive(Clone, Copy)]
struct RowAt<'t> {
    time: f64,
    track: usize,
    words: &'t [i64],
}

impl<'t> Outputs<'t> {
    /// Returns the outputs that a run has recorded.
    pub(super) fn recorded(recording: &'t Recording) -> Self {
        Self::of(recording, COLUMN)
    }

    /// Returns the reference to which they are compared, without any rows if there is none.
    pub(super) fn reference(recording: &'t Recording) -> Self {
        Self::of(recording, REFERENCE)
    }

    fn of(recording: &'t Recording, column: &str) -> Self {
        let rate = recording.header.spec.parameters.rate();
        let is_there = |track: &&Track| track.columns.iter().any(|one| one.name == column);
        let mut all = Self { names: Vec::new(), columns: Vec::new(), rows: Vec::new() };
        for track in recording.tracks.iter().filter(is_there) {
            all.add_columns(track);
            all.add_rows(track, track.values(column), rate);
        }
        all.rows.sort_by(|left, right| left.time.total_cmp(&right.time));
        all
    }

    fn add_columns(&mut self, track: &'t Track) {
        let mut columns = Vec::new();
        for content in Content::ALL {
            let name = |place| track.attributes.get(&name_of(content, place))?.as_str();
            for name in (0..).map_while(name) {
                let known = self.names.iter().position(|known| *known == name);
                columns.push((known.unwrap_or(self.names.len()), content));
                if known.is_none() {
                    self.names.push(name);
                }
            }
        }
        self.columns.push(columns);
    }

    fn add_rows(&mut self, track: &Track, values: &'t [i64], rate: Option<Rate>) {
        let number = self.columns.len() - 1;
        let row = |time, words| RowAt { time, track: number, words };
        let contents = self.columns[number].iter().map(|(_, content)| content.words());
        let words: usize = contents.sum();
        let start = track.attributes.get(START).and_then(Json::as_f64);
        match start.zip(rate) {
            Some((start, rate)) => {
                let times = Times::of(start, rate);
                let rows = (0..).zip(values.chunks_exact(words.max(1)));
                self.rows.extend(rows.map(|(number, words)| row(times.at(number), words)));
            }
            None => {
                let rows = values.chunks_exact(1 + words).filter_map(<[i64]>::split_first);
                let time = |bits: &i64| f64::from_bits(bits.cast_unsigned());
                self.rows.extend(rows.map(|(bits, words)| row(time(bits), words)));
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the time of a row in seconds.
    pub(super) fn time(&self, row: usize) -> f64 {
        self.rows[row].time
    }

    /// Returns the cells of a row that are not empty, with their columns.
    pub(super) fn cells(&self, row: usize) -> impl Iterator<Item = (usize, Cell<'t>)> {
        let RowAt { track, mut words, .. } = self.rows[row];
        let cells = self.columns[track].iter().map_while(move |(column, content)| {
            let (own, rest) = words.split_at_checked(content.words())?;
            words = rest;
            Some((*column, Cell { content: *content, words: own }))
        });
        cells.filter(|(_, cell)| cell.number() != Some(ABSENT))
    }
}

/// Returns the recorded outputs as comma-separated values; outputs of other clocks are empty.
pub(super) fn written(recording: &Recording) -> Result<String, String> {
    let outputs = Outputs::recorded(recording);
    if outputs.len() == 0 {
        return Err("--record: the run returned no outputs".to_owned());
    }
    let mut text = "time".to_owned();
    for name in &outputs.names {
        let _ = write!(text, ",{}", quoted(name));
    }
    text.push('\n');
    for row in 0..outputs.len() {
        let mut cells = vec![String::new(); outputs.names.len()];
        for (column, cell) in outputs.cells(row) {
            cells[column] = cell.text();
        }
        let cells = cells.iter().flat_map(|cell| [",", cell]);
        let _ = writeln!(text, "{:?}{}", outputs.time(row), cells.collect::<String>());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::recorder::Recorder;
    use super::super::setup::tests::spec;
    use super::*;
    use bench::made_run::recording;

    #[test]
    fn rows_are_written_with_every_digit() {
        let mut recorder = Recorder::with(4, 0, Some(0.5));
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
            let mut recorder = Recorder::with(9, 0, None);
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
