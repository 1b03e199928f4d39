//! Raw samples: the tracks of a recording, with their columns packed in chunks.

use record::{Column, Track, pack_column, unpack_column};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::record::{Record, Table, checksum, json, number, verify};

const TRACKS: Table =
    Table { name: "tracks", columns: &["run_id", "ordinal", "name", "attributes", "column_names"] };

const CHUNKS: Table = Table {
    name: "chunks",
    columns: &["run_id", "track_ordinal", "column_ordinal", "chunk_ordinal", "length", "packed"],
};

/// Values per chunk: keeps columns of any length below SQLite's limit for one value (1e9 bytes).
const CHUNK_LENGTH: usize = 1 << 16;

/// Bytes that the numbers of one run may take in any case, and how often the bytes that they are
/// packed in: stamps of a run take a third of their size or more, and counters of equal steps nearly
/// nothing.
const ALWAYS_BYTES: u64 = 64 << 20;
const MOST_TIMES_PACKED: u64 = 64;

/// The records of one run's samples.
pub(crate) struct Samples {
    tracks: Vec<Record>,
    chunks: Vec<Record>,
}

pub(crate) fn records(run_id: &str, tracks: &[Track]) -> Samples {
    let mut samples = Samples { tracks: Vec::new(), chunks: Vec::new() };
    for (ordinal, track) in (0..).zip(tracks) {
        samples.tracks.push(track_record(run_id, ordinal, track));
        for (column_ordinal, column) in (0..).zip(&track.columns) {
            for (chunk_ordinal, values) in (0..).zip(column.values.chunks(CHUNK_LENGTH)) {
                samples.chunks.push(vec![
                    run_id.to_owned().into(),
                    number(ordinal),
                    number(column_ordinal),
                    number(chunk_ordinal),
                    number(values.len() as u64),
                    pack_column(values).into(),
                ]);
            }
        }
    }
    samples
}

fn track_record(run_id: &str, ordinal: u64, track: &Track) -> Record {
    let names: Vec<&str> = track.columns.iter().map(|c| c.name.as_str()).collect();
    vec![
        run_id.to_owned().into(),
        number(ordinal),
        track.name.clone().into(),
        json(&track.attributes),
        json(&names),
    ]
}

pub(crate) fn select(conn: &Connection, run_id: &str) -> rusqlite::Result<Samples> {
    let in_order = "WHERE run_id = ?1 ORDER BY track_ordinal, column_ordinal, chunk_ordinal";
    Ok(Samples {
        tracks: TRACKS.select(conn, "WHERE run_id = ?1 ORDER BY ordinal", [run_id])?,
        chunks: CHUNKS.select(conn, in_order, [run_id])?,
    })
}

impl Samples {
    pub(crate) fn insert(&self, conn: &Connection) -> rusqlite::Result<()> {
        TRACKS.insert(conn, &self.tracks)?;
        CHUNKS.insert(conn, &self.chunks)
    }

    pub(crate) fn checksum(&self) -> Value {
        checksum(self.tracks.iter().chain(&self.chunks))
    }

    /// Returns the tracks if their checksum is the stored one.
    pub(crate) fn read(&self, kept: Option<Value>) -> Result<Vec<Track>, String> {
        verify(kept, self.tracks.iter().chain(&self.chunks))?;
        self.refuse_bombs()?;
        let mut tracks = self.tracks.iter().map(read_track).collect::<Result<Vec<_>, _>>()?;
        self.chunks.iter().try_for_each(|chunk| append(&mut tracks, chunk))?;
        Ok(tracks)
    }

    /// Refuses numbers that would take far more memory than the file explains.
    fn refuse_bombs(&self) -> Result<(), String> {
        let (mut unpacked, mut allowed) = (0, ALWAYS_BYTES);
        for record in &self.chunks {
            let chunk = CHUNKS.fields(record);
            let length = chunk.number("length")?;
            if length > CHUNK_LENGTH as u64 {
                return Err(format!("a chunk of samples claims {length} numbers"));
            }
            let packed = chunk.value("packed").as_blob().map_err(|error| error.to_string())?;
            unpacked += length * size_of::<i64>() as u64;
            allowed += MOST_TIMES_PACKED * packed.len() as u64;
        }
        let why = "its samples claim far more numbers than their bytes can hold";
        (unpacked <= allowed).then_some(()).ok_or_else(|| why.to_owned())
    }
}

/// Reads a track with columns that are still empty.
fn read_track(record: &Record) -> Result<Track, String> {
    let track = TRACKS.fields(record);
    let empty = |name| Column { name, values: Vec::new() };
    let names: Vec<String> = track.json("column_names")?;
    Ok(Track {
        name: track.get("name")?,
        attributes: track.json("attributes")?,
        columns: names.into_iter().map(empty).collect(),
    })
}

fn append(tracks: &mut [Track], record: &Record) -> Result<(), String> {
    let chunk = CHUNKS.fields(record);
    let column = tracks
        .get_mut(chunk.number("track_ordinal")? as usize)
        .and_then(|track| track.columns.get_mut(chunk.number("column_ordinal").ok()? as usize))
        .ok_or("a chunk of samples has no column")?;
    let (packed, length): (Vec<u8>, _) = (chunk.get("packed")?, chunk.number("length")? as usize);
    let values = unpack_column(&packed, length).map_err(|error| error.to_string())?;
    column.values.extend(values);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn samples(length: usize) -> Samples {
        let column = Column { name: "end".to_owned(), values: vec![7; length] };
        let track =
            Track { name: "cpu 0".to_owned(), attributes: BTreeMap::new(), columns: vec![column] };
        records("run", &[track])
    }

    fn read(samples: &Samples) -> Result<Vec<Track>, String> {
        samples.read(Some(samples.checksum()))
    }

    #[test]
    fn equal_numbers_of_a_long_run_are_read() {
        let tracks = read(&samples(3 << 20)).unwrap();
        assert_eq!(tracks[0].columns[0].values.len(), 3 << 20);
    }

    #[test]
    fn numbers_that_their_bytes_cannot_hold_are_refused() {
        let mut one = samples(10);
        one.chunks[0][4] = number(1 << 40);
        assert!(read(&one).unwrap_err().contains("claims 1099511627776 numbers"));
        let mut many = samples(CHUNK_LENGTH);
        many.chunks = (0..1000).map(|_| many.chunks[0].clone()).collect();
        assert!(read(&many).unwrap_err().contains("far more numbers than their bytes"));
    }
}
