//! The contents of the recording of a run: its tracks, columns and ranges of numbers. Data from
//! elsewhere is accepted as a recording only if it has this shape.

use std::ops::RangeInclusive;

use record::{Column, LAST_STAMP, Track};
use serde_json::{Number, Value};

/// Maximum count: other JSON readers keep whole numbers exactly only up to this value.
pub const MOST_COUNTED: u64 = 1 << 53;
/// Maximum length of a text, which is a name, a device or a reason.
const LONGEST_TEXT: usize = 4096;

/// The range of the numbers in a column or a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Stamps of the clock, all within one run.
    Stamps,
    /// Stamps of the clock, each after the one before.
    RisingStamps,
    /// Stamps of the clock, or 0 for a missing one.
    StampsOrNone,
    /// Durations within the run, in nanoseconds.
    Times,
    UpTo(u64),
    /// Counts up to this number, each above the one before.
    RisingUpTo(u64),
    Exactly(u64),
    /// Finite numbers, as their bits.
    Bits,
    /// Any words: bits of numbers that may be infinite, and bytes of texts.
    Words,
}

/// Columns of equal length, with one value each per row.
#[derive(Debug, Clone)]
struct Rows {
    most: u64,
    may_be_none: bool,
    /// Whether a track may lack the columns.
    may_be_absent: bool,
    columns: Vec<(&'static str, Holds)>,
}

impl Rows {
    fn new(most: u64, columns: &[(&'static str, Holds)]) -> Self {
        Self { most, may_be_none: false, may_be_absent: false, columns: columns.to_vec() }
    }

    fn are_in(&self, track: &Track) -> bool {
        let is_there = |(name, _): &(&'static str, Holds)| {
            track.columns.iter().any(|column| column.name == *name)
        };
        !self.may_be_absent || self.columns.iter().any(is_there)
    }
}

#[derive(Debug, Clone)]
pub struct TrackShape {
    name: String,
    count: RangeInclusive<usize>,
    rows: Vec<Rows>,
    facts: Vec<(&'static str, Holds)>,
    facts_if_any: Vec<(&'static str, Holds)>,
    or_why_not: &'static [&'static str],
    left_out: Option<&'static str>,
}

impl TrackShape {
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            count: 1..=1,
            rows: Vec::new(),
            facts: Vec::new(),
            facts_if_any: Vec::new(),
            or_why_not: &[],
            left_out: None,
        }
    }

    pub fn is_named(&self, name: &str) -> bool {
        self.name == name
    }

    pub fn times(self, count: RangeInclusive<usize>) -> Self {
        Self { count, ..self }
    }

    /// Adds columns of equal length, with at least one and at most `most` values.
    pub fn rows(self, most: u64, columns: &[(&'static str, Holds)]) -> Self {
        self.of_rows(Rows::new(most, columns))
    }

    /// Adds columns like [`Self::rows`] that may be empty.
    pub fn rows_or_none(self, most: u64, columns: &[(&'static str, Holds)]) -> Self {
        self.of_rows(Rows { may_be_none: true, ..Rows::new(most, columns) })
    }

    /// Adds columns like [`Self::rows`] that a track may lack.
    pub fn rows_if_any(self, most: u64, columns: &[(&'static str, Holds)]) -> Self {
        self.of_rows(Rows { may_be_absent: true, ..Rows::new(most, columns) })
    }

    fn of_rows(mut self, rows: Rows) -> Self {
        self.rows.push(rows);
        self
    }

    pub fn fact(mut self, name: &'static str, holds: Holds) -> Self {
        self.facts.push((name, holds));
        self
    }

    /// Adds a fact that a track may lack.
    pub fn fact_if_any(mut self, name: &'static str, holds: Holds) -> Self {
        self.facts_if_any.push((name, holds));
        self
    }

    /// Allows all columns to be empty: a stall may last until the end of an interval.
    pub fn of_interval(mut self) -> Self {
        self.rows.iter_mut().for_each(|rows| rows.may_be_none = true);
        self
    }

    /// Adds a fact that counts how many values the first columns have fewer than their maximum.
    pub fn left_out(self, name: &'static str) -> Self {
        Self { left_out: Some(name), ..self }
    }

    /// Allows the track to contain none of that, if one of these texts says why.
    pub fn or_why_not(self, or_why_not: &'static [&'static str]) -> Self {
        Self { or_why_not, ..self }
    }

    fn lacks_all(&self, track: &Track) -> bool {
        let says = |name: &&str| track.attributes.get(*name).is_some_and(Value::is_string);
        track.columns.is_empty() && self.or_why_not.iter().any(says)
    }
}

/// Refuses tracks that do not belong to a run of at most this length.
///
/// # Errors
/// Names the first difference from the shapes.
pub fn check(tracks: &[Track], shapes: &[TrackShape], longest_ns: u64) -> Result<(), String> {
    let mut span = Span { longest_ns, seen: None };
    let mut lacking = false;
    for track in tracks {
        let shape = shapes.iter().find(|shape| shape.name == track.name);
        let shape = shape
            .ok_or_else(|| format!("it has an unexpected track `{}`", track.name.escape_debug()))?;
        let refused = |why: String| format!("in its track `{}` {why}", track.name);
        track.attributes.iter().try_for_each(attribute).map_err(refused)?;
        match shape.lacks_all(track) {
            true => lacking = true,
            false => of_shape(track, shape, &mut span).map_err(refused)?,
        }
    }
    span.check()?;
    for shape in shapes {
        let (name, found) = (&shape.name, tracks.iter().filter(|t| t.name == shape.name).count());
        let too_few = found < *shape.count.start() && !lacking;
        if too_few || found > *shape.count.end() {
            return Err(format!("it has {found} tracks `{name}` instead of {:?}", shape.count));
        }
    }
    Ok(())
}

struct Span {
    longest_ns: u64,
    /// The first stamp and the last one.
    seen: Option<(i64, i64)>,
}

impl Span {
    fn add(&mut self, stamp: i64) {
        let (first, last) = self.seen.unwrap_or((stamp, stamp));
        self.seen = Some((first.min(stamp), last.max(stamp)));
    }

    fn check(&self) -> Result<(), String> {
        let length = self.seen.map_or(0, |(first, last)| last.abs_diff(first));
        if length > self.longest_ns {
            return Err(format!("its stamps are {length} ns apart, more than its run can take"));
        }
        Ok(())
    }
}

fn of_shape(track: &Track, shape: &TrackShape, span: &mut Span) -> Result<(), String> {
    let mut hold = |name: &str, holds: Holds, values: &[i64]| {
        if let Some(wrong) = values.iter().find(|value| !holds.holds(**value, span)) {
            return Err(format!("`{name}` is {wrong}"));
        }
        let rises = matches!(holds, Holds::RisingStamps | Holds::RisingUpTo(_));
        if rises && !values.is_sorted_by(|before, after| before < after) {
            return Err(format!("`{name}` does not rise"));
        }
        Ok(())
    };
    for (name, holds) in &shape.facts {
        let value = track.attributes.get(*name).and_then(Value::as_i64);
        hold(name, *holds, &[value.ok_or_else(|| format!("`{name}` is missing"))?])?;
    }
    for (name, holds) in &shape.facts_if_any {
        if let Some(value) = track.attributes.get(*name) {
            hold(name, *holds, &[value.as_i64().ok_or_else(|| format!("`{name}` is no number"))?])?;
        }
    }
    let present = || shape.rows.iter().filter(|rows| rows.are_in(track));
    let known = present().map(|rows| rows.columns.len()).sum::<usize>();
    for rows in present() {
        let mut length = None;
        for (name, holds) in &rows.columns {
            let values = column(track, name)?;
            if *length.get_or_insert(values.len()) != values.len() {
                return Err(format!("`{name}` and the columns next to it differ in length"));
            }
            hold(name, *holds, values)?;
        }
        let length = length.unwrap_or(0) as u64;
        if length > rows.most || (length == 0 && !rows.may_be_none) {
            return Err(format!("there are {length} values, of at most {}", rows.most));
        }
    }
    if let (Some(name), Some(rows)) = (shape.left_out, shape.rows.first()) {
        let there = track.values(rows.columns[0].0).len() as u64;
        hold(name, Holds::Exactly(rows.most - there), &[track.number(name)])?;
    }
    let there = track.columns.len();
    if there == known {
        Ok(())
    } else {
        Err(format!("there are {there} columns instead of {known}"))
    }
}

fn column<'a>(track: &'a Track, name: &str) -> Result<&'a [i64], String> {
    let mut found = track.columns.iter().filter(|column| column.name == name);
    match (found.next(), found.next()) {
        (Some(Column { values, .. }), None) => Ok(values),
        _ => Err(format!("there is not exactly one column `{name}`")),
    }
}

impl Holds {
    fn holds(self, value: i64, span: &mut Span) -> bool {
        let is_up_to = |most: u64| u64::try_from(value).is_ok_and(|value| value <= most);
        match self {
            Self::StampsOrNone if value == 0 => true,
            Self::Stamps | Self::RisingStamps | Self::StampsOrNone => {
                span.add(value);
                is_up_to(LAST_STAMP)
            }
            Self::Times => is_up_to(span.longest_ns),
            Self::UpTo(most) | Self::RisingUpTo(most) => is_up_to(most),
            Self::Exactly(number) => u64::try_from(value) == Ok(number),
            Self::Words => true,
            Self::Bits => f64::from_bits(value.cast_unsigned()).is_finite(),
        }
    }
}

/// Returns whether a number is a fraction, or not farther from 0 than the last stamp.
pub fn is_bounded(number: &Number) -> bool {
    let whole = number.as_i64().map(i64::unsigned_abs);
    whole.map_or(number.is_f64(), |size| size <= LAST_STAMP)
}

/// Checks a fact that is not declared: a short text or a number within bounds.
fn attribute((name, value): (&String, &Value)) -> Result<(), String> {
    let is_fine = match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => is_bounded(number),
        Value::String(text) => text.len() <= LONGEST_TEXT,
        Value::Array(_) | Value::Object(_) => false,
    };
    if is_fine { Ok(()) } else { Err(format!("`{}` is out of bounds", name.escape_debug())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    const LONGEST: u64 = 1_000;

    fn shape() -> TrackShape {
        TrackShape::named("cpu 1")
            .fact("t0_ns", Holds::Stamps)
            .rows(3, &[("index", Holds::RisingUpTo(2)), ("woke_ns", Holds::Stamps)])
            .or_why_not(&["unavailable"])
    }

    fn track() -> Track {
        Track::new("cpu 1")
            .with("t0_ns", 5_000)
            .column("index", vec![0, 2])
            .column("woke_ns", vec![5_001, 5_600])
    }

    fn refused(track: Track) -> String {
        check(&[track], &[shape()], LONGEST).unwrap_err()
    }

    #[test]
    fn tracks_as_declared_pass_and_so_do_tracks_that_say_why_they_are_not() {
        let why_not = Track::new("cpu 1").with("unavailable", "needs two CPUs");
        for track in [track(), why_not] {
            assert_eq!(check(&[track], &[shape()], LONGEST), Ok(()));
        }
    }

    #[test]
    fn every_difference_from_the_declaration_is_named() {
        let with = |name: &str, values: &[i64]| {
            let mut track = track();
            track.columns.retain(|column| column.name != name);
            track.column(name, values.to_vec())
        };
        for (track, named) in [
            (Track::new("cpu 1"), "`t0_ns` is missing"),
            (Track::new("\u{1b}[2J"), "\\u{1b}[2J"),
            (track().with("t0_ns", i64::MAX), "out of bounds"),
            (track().with("t0_ns", u64::MAX), "out of bounds"),
            (track().with("t0_ns", -1), "`t0_ns` is -1"),
            (track().with("t0_ns", "x"), "`t0_ns` is missing"),
            (track().with("more", vec![1]), "`more` is out of bounds"),
            (track().column("more", vec![]), "3 columns instead of 2"),
            (track().column("index", vec![0, 1]), "not exactly one column `index`"),
            (with("index", &[0, 3]), "`index` is 3"),
            (with("index", &[0]), "differ in length"),
            (with("index", &[2, 0]), "`index` does not rise"),
            (with("index", &[2, 2]), "`index` does not rise"),
            (with("woke_ns", &[5_001, 9_000]), "4000 ns apart"),
        ] {
            let why = refused(track);
            assert!(why.contains(named), "{named}: {why}");
        }
        refuses(check(&[track(), track()], &[shape()], LONGEST), "2 tracks");
        refuses(check(&[], &[shape()], LONGEST), "0 tracks");
        let empty = with("index", &[]);
        let empty = Track { columns: Vec::new(), ..empty }
            .column("index", vec![])
            .column("woke_ns", vec![]);
        assert!(refused(empty).contains("0 values"));
    }
}
