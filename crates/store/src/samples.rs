//! Raw samples: the tracks of a recording, with their columns packed in chunks.

use plan::{Column, Track, pack_column, unpack_column};
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
        let mut tracks = self.tracks.iter().map(read_track).collect::<Result<Vec<_>, _>>()?;
        self.chunks.iter().try_for_each(|chunk| append(&mut tracks, chunk))?;
        Ok(tracks)
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
