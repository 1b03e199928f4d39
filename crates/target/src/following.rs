//! Following a process that makes a run: its recording comes on its standard output, what
//! went wrong on its standard error.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plan::{Recording, read_recording};
use rt::thread::start;

use crate::TargetError;

/// How often a process is looked at.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A process that has come to its end by itself.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    pub(crate) words: Vec<u8>,
}

impl Ended {
    /// What it brought.
    ///
    /// # Errors
    /// Where it failed, `why`; where it was to end, [`TargetError::Interrupted`].
    pub(crate) fn recording(
        &self,
        keep_going: &mut dyn FnMut() -> bool,
        why: impl FnOnce(&Self) -> TargetError,
    ) -> Result<Recording, TargetError> {
        if self.status.success() {
            let recording = read_recording(&mut self.output.as_slice());
            return recording.map_err(|error| TargetError::Failed(error.to_string()));
        }
        // Ctrl-C reaches every process of the terminal, this one first.
        Err(match keep_going() {
            false => TargetError::Interrupted,
            true => why(self),
        })
    }

    /// The last error that it told.
    pub(crate) fn error(&self) -> Option<String> {
        let words = String::from_utf8_lossy(&self.words);
        let told = words
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("error: "));
        told.map(str::to_owned)
    }
}

/// The command, with its three streams as pipes.
pub(crate) fn piped(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
}

/// Waits for a process to end by itself; ends it after so long, or when `keep_going` says
/// no.
///
/// # Errors
/// When it had to be ended.
pub(crate) fn follow(
    process: &mut Child,
    longest: Option<Duration>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Ended, TargetError> {
    // Both ends are read while it lives: a full pipe would stop it.
    let output = collect(process.stdout.take())?;
    let words = collect(process.stderr.take())?;
    let status = wait(process, longest, keep_going)?;
    Ok(Ended {
        status,
        output: output.join().unwrap_or_default(),
        words: words.join().unwrap_or_default(),
    })
}

/// Reads a pipe to its end on a thread of its own.
fn collect(
    pipe: Option<impl Read + Send + 'static>,
) -> Result<thread::JoinHandle<Vec<u8>>, TargetError> {
    let reading = start("collect", move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What arrived before an error is read; a recording knows its end.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    });
    reading.map_err(failed)
}

fn wait(
    process: &mut Child,
    longest: Option<Duration>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<ExitStatus, TargetError> {
    let started = Instant::now();
    loop {
        if let Some(status) = process.try_wait().map_err(failed)? {
            return Ok(status);
        }
        let late = longest.filter(|longest| started.elapsed() > *longest);
        let error = match late {
            _ if !keep_going() => TargetError::Interrupted,
            Some(longest) => TargetError::Failed(format!("the run did not end within {longest:?}")),
            None => {
                thread::sleep(LOOK_EVERY);
                continue;
            }
        };
        process.kill().map_err(failed)?;
        process.wait().map_err(failed)?;
        return Err(error);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(crate) fn failed(error: io::Error) -> TargetError {
    TargetError::Failed(error.to_string())
}
