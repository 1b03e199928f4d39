//! The other end of a connection: makes one run, and ends it when the connection ends.

use std::io::{BufRead, Write};
use std::time::Duration;

use record::{RunSpec, write_recording};
use rt::ending::end_twins;
use rt::process::input_ends_within;

use crate::{Local, Target};

/// The role at the other end. It reads one specification from a line of standard input, which stays
/// open as long as the near end waits for the recording on standard output.
///
/// When a connection breaks silently, the near end notices it first. A process like this one with
/// the same mark among its arguments is left over from such a connection. It is ended, so that no
/// two runs are made at the same time.
///
/// # Errors
/// Why there is no recording.
pub fn serve_remote(from: &mut impl BufRead, to: &mut impl Write) -> Result<(), String> {
    end_twins();
    let mut line = String::new();
    from.read_line(&mut line).map_err(|error| format!("the run specification is lost: {error}"))?;
    let spec = RunSpec::of_key(&line)?;
    let arrived = Local::default()
        .run(&spec, &mut || !input_ends_within(Duration::ZERO))
        .map_err(|error| error.to_string())?;
    write_recording(&arrived.recording, to)
        .map_err(|error| format!("the recording is lost: {error}"))
}
