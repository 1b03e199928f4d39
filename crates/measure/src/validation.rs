//! Validation of recordings that come from another process, machine or guest: accepts only what
//! their specification allows. This is the only way from bytes to a recording.

use std::io::Read;

use bench::room::room;
use bench::shape;
use record::{
    Column, FORMAT_VERSION, LAST_STAMP, Recording, Room, RunSpec, Track, Warning, read_recording,
};
use serde_json::Value;

use crate::find;

/// Maximum length of the texts of kernels, interrupts and warnings, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

pub fn room_for(spec: &RunSpec) -> Room {
    let sample_bytes = find(&spec.measurement).map_or(0, |m| m.sample_bytes(spec));
    room(spec, sample_bytes)
}

/// Reads the recording of a run and refuses anything that does not belong to it. Removes everything
/// from its texts that a terminal would obey.
///
/// # Errors
/// Says in one line what is wrong with the recording.
pub fn recording_of(spec: &RunSpec, from: &mut impl Read) -> Result<Recording, String> {
    let recording = read_recording(from, room_for(spec)).map_err(|error| error.to_string())?;
    let accepted = check(spec, &recording).and_then(|()| plain(recording));
    accepted.map_err(|why| format!("its recording does not belong to the requested run: {why}"))
}

/// Does the same for the whole answer of a process, which contains nothing else.
///
/// # Errors
/// As [`recording_of`], and if bytes follow the recording.
pub fn only_recording_of(spec: &RunSpec, mut bytes: &[u8]) -> Result<Recording, String> {
    let recording = recording_of(spec, &mut bytes)?;
    match bytes.len() {
        0 => Ok(recording),
        more => Err(format!("bytes follow the end of its recording: {more}")),
    }
}

/// Refuses a recording that this run cannot have produced.
pub(crate) fn check(spec: &RunSpec, recording: &Recording) -> Result<(), String> {
    let asked_and_done = [spec, &recording.header.spec];
    if asked_and_done.iter().any(|spec| spec.format_version != FORMAT_VERSION) {
        return Err(format!("its format version is not {FORMAT_VERSION}"));
    }
    let [asked, done] = asked_and_done.map(|spec| &*spec.measurement);
    if asked != done {
        return Err(format!("it is a recording of {}, not of {asked}", done.escape_debug()));
    }
    let done = &recording.header.spec;
    if !spec.may_end_as(done) {
        return Err("it has other parameters or conditions".to_owned());
    }
    if i64::try_from(recording.header.started_unix_ns).is_err() {
        return Err("it was started after the year 2262".to_owned());
    }
    let measurement = find(asked).ok_or("the measurement is unknown")?;
    let is_invalid = recording.warnings.iter().any(Warning::invalidates);
    if recording.tracks.is_empty() {
        // If conditions could not be set up, nothing is measured.
        return if is_invalid { Ok(()) } else { Err("it has no tracks".to_owned()) };
    }
    // A run that its own limit ended has the time that it took.
    let spec = done;
    let longest = u64::try_from(spec.longest().as_nanos()).unwrap_or(u64::MAX);
    let shapes =
        measurement.tracks(spec).into_iter().map(|shape| match &recording.found.interval {
            Some(_) => shape.of_interval(),
            None => shape,
        });
    shape::check(&recording.tracks, &shapes.collect::<Vec<_>>(), longest)?;
    evidence(spec, &recording.evidence)
}

/// Returns the recording with plain texts, if the numbers around its samples are within bounds.
fn plain(recording: Recording) -> Result<Recording, String> {
    recording.changed(&|name, value| {
        if !is_plain(value) {
            return Err(format!("its {name} contains a value out of bounds"));
        }
        record::show_texts(value);
        Ok(())
    })
}

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => shape::is_bounded(number),
        Value::String(text) => text.len() <= LONGEST_TEXT,
        Value::Array(values) => values.iter().all(is_plain),
        Value::Object(fields) => {
            fields.iter().all(|(name, value)| name.len() <= LONGEST_TEXT && is_plain(value))
        }
    }
}

/// Checks the evidence, which the analysis finds by name: stamps and numbers from the kernel.
fn evidence(spec: &RunSpec, tracks: &[Track]) -> Result<(), String> {
    let is_searched = |track: &Track| !blame::is_counted(track);
    if spec.blame_beyond.is_none() && tracks.iter().any(is_searched) {
        return Err("it has evidence, but none was requested".to_owned());
    }
    for track in tracks {
        let refused = |name: &str| {
            let [track, name] = [&track.name, name].map(str::escape_debug);
            Err(format!("its evidence `{track}` is out of bounds at `{name}`"))
        };
        let is_wide = |column: &&Column| {
            let mut values = column.values.iter();
            values.any(|value| value.unsigned_abs() > LAST_STAMP)
        };
        if let Some(column) = track.columns.iter().find(is_wide) {
            return refused(&column.name);
        }
        if let Some((name, _)) = track.attributes.iter().find(|(_, value)| !is_plain(value)) {
            return refused(name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
