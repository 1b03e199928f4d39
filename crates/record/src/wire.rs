//! The format of a recording: framed, versioned, checksummed.
//!
//! ```text
//! recording = "STEADFAST" version:u16 frame* end
//! frame     = tag:[u8;4] length:u32 payload checksum:u32      (little endian)
//! tags      = HEAD  header as JSON
//!             COND  conditions found, and warnings, as JSON
//!             TRAK  a track: length:u32 names as JSON, then its packed columns
//!             EVID  the same for a track of evidence
//!             DONE  number of frames before it:u32
//! ```
//! The checksum is CRC-32 over tag and payload. A recording without `DONE` was cut off.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::column::{pack, unpack};
use crate::{Column, FORMAT_VERSION, Found, Header, Recording, RecordingError, Track, Warning};

const MAGIC: &[u8; 9] = b"STEADFAST";
const HEAD: [u8; 4] = *b"HEAD";
const COND: [u8; 4] = *b"COND";
const TRAK: [u8; 4] = *b"TRAK";
const EVID: [u8; 4] = *b"EVID";
const DONE: [u8; 4] = *b"DONE";
/// Limit of a frame: larger ones are damaged, since a track of one day at 10 kHz is smaller.
const LARGEST_FRAME: u32 = 1 << 31;
/// Most bytes of a packed number: its 8 bytes, and what zstd adds to incompressible data.
const BYTES_A_VALUE: u64 = 9;
/// Limit for headers, conditions and names, which take some hundred kilobytes at most.
const BYTES_OF_TEXT: u64 = 16 << 20;

/// How large a recording from another machine may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    values: u64,
}

impl Room {
    /// Room for this many numbers in all columns together.
    pub fn for_values(values: u64) -> Self {
        Self { values }
    }

    /// Most bytes that such a recording takes.
    pub fn bytes(self) -> u64 {
        self.values.saturating_mul(BYTES_A_VALUE).saturating_add(BYTES_OF_TEXT)
    }

    fn take(&mut self, values: usize) -> Result<(), RecordingError> {
        let left = self.values.checked_sub(values as u64);
        self.values = left.ok_or(RecordingError::TooLarge)?;
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct Conditions {
    found: Found,
    warnings: Vec<Warning>,
}

#[derive(Serialize, Deserialize)]
struct TrackNames {
    name: String,
    attributes: BTreeMap<String, serde_json::Value>,
    columns: Vec<ColumnName>,
}

#[derive(Serialize, Deserialize)]
struct ColumnName {
    name: String,
    count: usize,
    packed_bytes: usize,
}

/// Writes a recording.
///
/// # Errors
/// When the bytes cannot be written.
pub fn write_recording(recording: &Recording, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(MAGIC)?;
    to.write_all(&FORMAT_VERSION.to_le_bytes())?;
    write_frame(to, HEAD, &serde_json::to_vec(&recording.header)?)?;
    let conditions =
        Conditions { found: recording.found.clone(), warnings: recording.warnings.clone() };
    write_frame(to, COND, &serde_json::to_vec(&conditions)?)?;
    let tracks = recording.tracks.iter().map(|track| (TRAK, track));
    let evidence = recording.evidence.iter().map(|track| (EVID, track));
    for (tag, track) in tracks.chain(evidence) {
        write_frame(to, tag, &track_payload(track)?)?;
    }
    let frames = 2 + (recording.tracks.len() + recording.evidence.len()) as u32;
    write_frame(to, DONE, &frames.to_le_bytes())?;
    to.flush()
}

/// Reads a recording to its end, if it fits the room: the sender decides neither how much is read
/// nor how much memory that takes.
///
/// # Errors
/// If the bytes are something else, cut off, damaged, too many, or of another version.
pub fn read_recording(from: &mut dyn Read, room: Room) -> Result<Recording, RecordingError> {
    let mut room_left = room;
    let from = &mut from.take(room.bytes());
    read_magic(from)?;
    let (mut header, mut conditions) = (None, None);
    let (mut tracks, mut evidence) = (Vec::new(), Vec::new());
    for frames_before in 0u32.. {
        let (tag, payload) = read_frame(from)?;
        match tag {
            HEAD => header = Some(json::<Header>(&payload)?),
            COND => conditions = Some(json::<Conditions>(&payload)?),
            TRAK => tracks.push(track(&payload, &mut room_left)?),
            EVID => evidence.push(track(&payload, &mut room_left)?),
            DONE if payload == frames_before.to_le_bytes() => break,
            _ => return Err(RecordingError::Damaged),
        }
    }
    let conditions = conditions.ok_or(RecordingError::Damaged)?;
    Ok(Recording {
        header: header.ok_or(RecordingError::Damaged)?,
        found: conditions.found,
        warnings: conditions.warnings,
        tracks,
        evidence,
    })
}

fn json<T: DeserializeOwned>(payload: &[u8]) -> Result<T, RecordingError> {
    serde_json::from_slice(payload).map_err(|_| RecordingError::Damaged)
}

fn write_frame(to: &mut dyn Write, tag: [u8; 4], payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len())
        .ok()
        .filter(|length| *length < LARGEST_FRAME)
        .ok_or_else(|| io::Error::other("a track is too large for a recording"))?;
    to.write_all(&tag)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(payload)?;
    to.write_all(&checksum(tag, payload).to_le_bytes())
}

fn read_magic(from: &mut impl Read) -> Result<(), RecordingError> {
    let mut magic = [0; MAGIC.len()];
    match from.read_exact(&mut magic) {
        Ok(()) if &magic == MAGIC => {}
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
        _ => return Err(RecordingError::NotARecording),
    }
    let mut version = [0; 2];
    read_exact(from, &mut version)?;
    match u16::from_le_bytes(version) {
        FORMAT_VERSION => Ok(()),
        other => Err(RecordingError::Version(other)),
    }
}

fn read_frame(from: &mut impl Read) -> Result<([u8; 4], Vec<u8>), RecordingError> {
    let (mut tag, mut length, mut sum) = ([0; 4], [0; 4], [0; 4]);
    read_exact(from, &mut tag)?;
    read_exact(from, &mut length)?;
    let length = u32::from_le_bytes(length);
    if length >= LARGEST_FRAME {
        return Err(RecordingError::Damaged);
    }
    // `take` grows with what arrives, so a damaged length cannot exhaust memory.
    let mut payload = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut payload)?;
    if payload.len() as u32 != length {
        return Err(RecordingError::CutOff);
    }
    read_exact(from, &mut sum)?;
    if checksum(tag, &payload) != u32::from_le_bytes(sum) {
        return Err(RecordingError::Damaged);
    }
    Ok((tag, payload))
}

fn read_exact(from: &mut impl Read, bytes: &mut [u8]) -> Result<(), RecordingError> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => RecordingError::CutOff,
        _ => error.into(),
    })
}

fn checksum(tag: [u8; 4], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&tag);
    hasher.update(payload);
    hasher.finalize()
}

fn track_payload(track: &Track) -> io::Result<Vec<u8>> {
    let packed: Vec<Vec<u8>> = track.columns.iter().map(|c| pack(&c.values)).collect();
    let columns = track.columns.iter().zip(&packed).map(|(column, bytes)| ColumnName {
        name: column.name.clone(),
        count: column.values.len(),
        packed_bytes: bytes.len(),
    });
    let names = serde_json::to_vec(&TrackNames {
        name: track.name.clone(),
        attributes: track.attributes.clone(),
        columns: columns.collect(),
    })?;
    let mut payload = (names.len() as u32).to_le_bytes().to_vec();
    payload.extend(names);
    packed.iter().for_each(|bytes| payload.extend(bytes));
    Ok(payload)
}

fn track(payload: &[u8], room: &mut Room) -> Result<Track, RecordingError> {
    let (length, rest) = payload.split_first_chunk::<4>().ok_or(RecordingError::Damaged)?;
    let (names, mut rest) = rest
        .split_at_checked(u32::from_le_bytes(*length) as usize)
        .ok_or(RecordingError::Damaged)?;
    let names: TrackNames = json(names)?;
    let mut columns = Vec::new();
    for column in names.columns {
        let (packed, after) =
            rest.split_at_checked(column.packed_bytes).ok_or(RecordingError::Damaged)?;
        rest = after;
        room.take(column.count)?;
        columns.push(Column { name: column.name, values: unpack(packed, column.count)? });
    }
    Ok(Track { name: names.name, attributes: names.attributes, columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asked, LatencyHold, Machine, Parameters, RunSpec};
    use base::{CpuSet, Nanos, Policy};

    const ROOM: Room = Room { values: 5002 };

    fn recording() -> Recording {
        let asked = Asked::plain(CpuSet::one(1), Policy::Fifo(80), Nanos::SECOND);
        let asked = Asked { memory_lock: true, cpu_dma_latency: LatencyHold::Hold, ..asked };
        Recording {
            header: Header {
                run_id: "run".into(),
                tool_version: "0".into(),
                spec: RunSpec::new("wakeup", Parameters::default(), asked),
                machine: Machine::default().into(),
                started_unix_ns: 1,
            },
            found: Found::default(),
            warnings: vec![Warning::NoHousekeepingCpu],
            tracks: vec![
                Track::new("cpu 1")
                    .with("t0_ns", 17)
                    .column("wake_ns", (0..5000).map(|k| k * 1000).collect())
                    .column("index", vec![]),
            ],
            evidence: vec![Track::new("trace").column("at_ns", vec![3, 4])],
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        write_recording(&recording(), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(read_recording(&mut bytes().as_slice(), ROOM).unwrap(), recording());
    }

    #[test]
    fn every_cut_is_noticed() {
        let whole = bytes();
        for length in 0..whole.len() {
            assert!(read_recording(&mut &whole[..length], ROOM).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn every_flipped_byte_is_noticed() {
        let whole = bytes();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x20;
            assert!(read_recording(&mut damaged.as_slice(), ROOM).is_err(), "flipped at {place}");
        }
    }

    #[test]
    fn a_recording_larger_than_its_room_is_refused() {
        let error = |bytes: &[u8], values| {
            read_recording(&mut &*bytes, Room::for_values(values)).unwrap_err()
        };
        assert!(matches!(error(&bytes(), 5001), RecordingError::TooLarge));
        // Two hundred megabytes of zeros take a few kilobytes when packed.
        let mut bomb = recording();
        bomb.tracks = vec![Track::new("cpu 1").column("wake_ns", vec![0; 25_000_000])];
        let mut packed = Vec::new();
        write_recording(&bomb, &mut packed).unwrap();
        assert!(packed.len() < 100_000);
        assert!(matches!(error(&packed, 5002), RecordingError::TooLarge));
        // A frame that never ends, and an endless sequence of frames.
        let endless = |frame: &[u8]| {
            let mut bytes = bytes()[..11].to_vec();
            bytes.extend(frame.iter().cycle().take(BYTES_OF_TEXT as usize * 2));
            bytes
        };
        let mut small = Vec::new();
        write_frame(&mut small, TRAK, &track_payload(&Track::new("x")).unwrap()).unwrap();
        for frame in [&b"TRAK\xff\xff\xff\x7f"[..], &small] {
            let refused = error(&endless(frame), 1);
            assert!(matches!(refused, RecordingError::CutOff), "{refused}");
        }
    }

    #[test]
    fn other_things_are_named() {
        let error = |bytes: &[u8]| read_recording(&mut &*bytes, ROOM).unwrap_err().to_string();
        assert!(error(b"hello").contains("not a recording"));
        assert!(error(b"STEADFAST\x09\0").contains("format version 9"));
        assert!(error(&bytes()[..40]).contains("cut off"));
    }
}
