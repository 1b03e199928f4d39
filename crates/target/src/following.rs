//! Following a process that makes a run: its recording comes on its standard output, what
//! went wrong on its standard error.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plan::{Recording, RunSpec};
use probe::recording_of;
use rt::ending::end_child;
use rt::thread::start;
use units::shown;

use crate::TargetError;
use crate::hearing::Hearing;
use crate::waiting::{LOOK_EVERY, WaitsTold};

/// A process that has come to its end by itself.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    /// The last of what it said of its errors.
    pub(crate) words: String,
}

impl Ended {
    /// What it brought of that run.
    ///
    /// # Errors
    /// Where it failed, `why`; where it was to end, [`TargetError::Interrupted`].
    pub(crate) fn recording(
        &self,
        spec: &RunSpec,
        keep_going: &mut dyn FnMut() -> bool,
        why: impl FnOnce(&Self) -> TargetError,
    ) -> Result<Recording, TargetError> {
        if self.status.success() {
            let recording = recording_of(spec, &mut self.output.as_slice());
            return recording.map_err(TargetError::Failed);
        }
        // Ctrl-C reaches every process of the terminal, this one first.
        Err(match keep_going() {
            false => TargetError::Interrupted,
            true => why(self),
        })
    }

    /// The last error that it told.
    pub(crate) fn error(&self) -> Option<String> {
        let told = self.words.lines().rev().find_map(|line| line.strip_prefix("error: "));
        told.map(|line| shown(line).into_owned())
    }
}

/// The command, with its three streams as pipes.
pub(crate) fn piped(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped())
}

/// Waits for a process to end by itself; ends it after so long, or when `keep_going` says
/// no. Of its output, so many bytes are read; where there are more, nobody listens any
/// longer.
///
/// # Errors
/// When it had to be ended, or when it sent more.
pub(crate) fn follow(
    process: &mut Child,
    most_bytes: u64,
    longest: Option<Duration>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Ended, TargetError> {
    // Both ends are read while it lives: a full pipe would stop it.
    let (output, words) = (process.stdout.take(), process.stderr.take());
    let output = start("collect", move || output.map(|pipe| collect(pipe, most_bytes)));
    let output = output.map_err(failed)?;
    let words = words.map(|pipe| Hearing::of(WaitsTold::of(pipe)));
    let words = words.transpose().map_err(failed)?;
    let status = wait(process, longest, keep_going)?;
    let Ok(output) = output.join().unwrap_or_default().transpose() else {
        return Err(TargetError::Failed(format!(
            "what was sent is no answer: it goes on after {most_bytes} bytes"
        )));
    };
    Ok(Ended {
        status,
        output: output.unwrap_or_default(),
        words: words.map_or_else(String::new, |words| words.last_words()),
    })
}

/// There was more to read than may be.
struct TooMuch;

/// Reads a pipe to its end, and no more than so many bytes of it.
fn collect(mut pipe: impl Read, most_bytes: u64) -> Result<Vec<u8>, TooMuch> {
    let mut bytes = Vec::new();
    // What arrived before an error is read; a recording knows its end.
    let _ = pipe.by_ref().take(most_bytes).read_to_end(&mut bytes);
    match pipe.read(&mut [0]) {
        Ok(1..) => Err(TooMuch),
        Ok(0) | Err(_) => Ok(bytes),
    }
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
        let ended = end_child(process);
        return Err(match (error, ended) {
            (TargetError::Failed(why), Err(left)) => TargetError::Failed(format!("{why}; {left}")),
            (error, _) => error,
        });
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(crate) fn failed(error: io::Error) -> TargetError {
    TargetError::Failed(error.to_string())
}
