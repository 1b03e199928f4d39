//! The header of a recording, and writing a recording.

use std::io::Write;

use record::{Found, Header, Recording, RunSpec, Warning, run_id, write_recording};
use rt::clock;

use crate::fingerprint::fingerprint;

pub(crate) const EXIT_PANICKED: i32 = 101;

pub(crate) fn write(recording: &Recording, to: &mut impl Write) -> Result<(), String> {
    write_recording(recording, to).map_err(|error| format!("the recording is lost: {error}"))
}

/// Returns the recording of a run of which nothing was measured.
pub(crate) fn without_tracks(header: Header, found: Found, warnings: Vec<Warning>) -> Recording {
    Recording { header, found, warnings, tracks: Vec::new(), evidence: Vec::new() }
}

pub(crate) fn header(spec: RunSpec) -> Header {
    let now = clock::unix_time();
    Header {
        run_id: run_id(now),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        spec,
        machine: fingerprint().into(),
        started_unix_ns: now,
    }
}
