//! Follows a process that makes a run: a recording on standard output, errors on standard error.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use base::shown;
use measure::{only_recording_of, recording_of};
use record::{Arrived, Recording, RunSpec};
use rt::ending::end_child;
use rt::process::{Pid, is_stopped, sleep_until_end};
use rt::role::is_in_lab;
use rt::thread::{start, wait_for};

use crate::hearing::Hearing;
use crate::waiting::{LOOK_EVERY, PassedOn};
use crate::{KeepGoing, TargetError};

/// How often a process that measures is looked at.
const GLANCE_EVERY: Duration = Duration::from_secs(1);
/// Time for a process to end after its output.
const SOON: Duration = Duration::from_secs(5);
/// A run that is stopped for longer does not go on: a model has stopped the process that started it.
const LONGEST_STOP: Duration = Duration::from_secs(10);

/// A process that has ended by itself.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    /// The end of its standard error.
    pub(crate) words: String,
}

impl Ended {
    /// Returns the recording of that run; `why` says why the process failed.
    pub(crate) fn recording(
        &self,
        spec: &RunSpec,
        keep_going: KeepGoing,
        why: impl FnOnce(&Self) -> String,
    ) -> Result<Arrived, TargetError> {
        if self.status.success() {
            let recording = only_recording_of(spec, &self.output);
            return recording.map(Arrived::from).map_err(TargetError::Failed);
        }
        // Ctrl-C reaches every process of the terminal, and this one first.
        Err(if keep_going() { TargetError::Failed(why(self)) } else { TargetError::Interrupted })
    }

    /// Returns the last error that it printed.
    pub(crate) fn error(&self) -> Option<String> {
        let line = self.words.lines().rev().find_map(|line| line.strip_prefix("error: "));
        line.map(|line| shown(line).into_owned())
    }
}

/// Connects all three streams of a command to pipes.
pub(crate) fn piped(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped())
}

/// Returns the pipes with the output and the errors of a command that was [`piped`].
pub(crate) fn pipes(process: &mut Child) -> (ChildStdout, ChildStderr) {
    process.stdout.take().zip(process.stderr.take()).expect("both are pipes")
}

/// Ends the process after `longest`, at `keep_going`'s false, or beyond `most_bytes`.
pub(crate) fn follow(
    process: &mut Child,
    most_bytes: u64,
    longest: Option<Duration>,
    keep_going: KeepGoing,
) -> Result<Ended, TargetError> {
    // Both pipes are read while it runs, because a full pipe would stop it.
    let (output, words) = pipes(process);
    let output = start("collect", move || collect(output, most_bytes));
    let output = output.map_err(|error| not_followed(process, error))?;
    let words = Hearing::of(PassedOn::of(words)).map_err(|error| not_followed(process, error))?;
    let status = wait(process, longest, keep_going)?;
    let Some(output) = output.join().unwrap_or(Some(Vec::new())) else {
        return Err(TargetError::Failed(format!(
            "the answer is too long: it continues after {most_bytes} bytes"
        )));
    };
    Ok(Ended { status, output, words: words.last_words() })
}

/// Passes on the recordings that a process sends until it ends. Ends it when `keep_going` or `each`
/// returns false, and if nothing arrives for as long as a run of `spec` may take. `why` says why the
/// process failed.
pub(crate) fn follow_intervals(
    mut process: Child,
    spec: &RunSpec,
    keep_going: KeepGoing,
    each: &mut dyn FnMut(Recording) -> bool,
    why: fn(&Ended, &RunSpec) -> String,
) -> Result<(), TargetError> {
    let (output, words) = pipes(&mut process);
    let words = Hearing::of(PassedOn::of(words));
    let words = words.map_err(|error| not_followed(&mut process, error))?;
    // One recording waits, so a slow reader slows nothing down but the helper of the run.
    let (send, recordings) = mpsc::sync_channel(1);
    let asked = spec.clone();
    start("collect", move || {
        let mut output = BufReader::new(output);
        while output.fill_buf().is_ok_and(|bytes| !bytes.is_empty()) {
            let recording = recording_of(&asked, &mut output);
            let is_last = recording.is_err();
            if send.send(recording).is_err() || is_last {
                return;
            }
        }
    })
    .map_err(|error| not_followed(&mut process, error))?;
    let mut last = Instant::now();
    let unreadable = loop {
        if !keep_going() {
            let _ = end_child(&mut process);
            return Err(TargetError::Interrupted);
        }
        let recording = match recordings.recv_timeout(GLANCE_EVERY) {
            Ok(Ok(recording)) => recording,
            Err(RecvTimeoutError::Timeout) if last.elapsed() < spec.longest() => continue,
            Err(RecvTimeoutError::Timeout) => {
                let _ = end_child(&mut process);
                let longest = spec.longest();
                return Err(TargetError::Failed(format!("no interval arrived within {longest:?}")));
            }
            Ok(Err(why)) => break Some(why),
            Err(RecvTimeoutError::Disconnected) => break None,
        };
        last = Instant::now();
        if !each(recording) {
            let _ = end_child(&mut process);
            return Ok(());
        }
    };
    // The output of a process that has ended is over, too.
    let has_ended = || process.try_wait().map_err(failed).transpose();
    let Some(status) = wait_for(SOON, LOOK_EVERY, has_ended).transpose()? else {
        let _ = end_child(&mut process);
        return Err(TargetError::Failed(
            unreadable.unwrap_or_else(|| "it sends nothing".to_owned()),
        ));
    };
    let ended = Ended { status, output: Vec::new(), words: words.last_words() };
    match (status.success(), unreadable) {
        (true, None) => Ok(()),
        (true, Some(unreadable)) => Err(TargetError::Failed(unreadable)),
        // Ctrl-C reaches the process first.
        (false, _) if !keep_going() => Err(TargetError::Interrupted),
        // It may have written half of a recording.
        (false, _) => Err(TargetError::Failed(why(&ended, spec))),
    }
}

/// Ends a process whose output cannot be read.
pub(crate) fn not_followed(process: &mut Child, error: io::Error) -> TargetError {
    let _ = end_child(process);
    failed(error)
}

/// Reads a pipe to its end; `None` if the process sends more than `most_bytes`.
fn collect(mut pipe: impl Read, most_bytes: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    // What arrived before an error is kept; a recording has a mark at its end.
    let _ = pipe.by_ref().take(most_bytes).read_to_end(&mut bytes);
    match pipe.read(&mut [0]) {
        Ok(1..) => None,
        Ok(0) | Err(_) => Some(bytes),
    }
}

fn wait(
    process: &mut Child,
    longest: Option<Duration>,
    keep_going: KeepGoing,
) -> Result<ExitStatus, TargetError> {
    let started = Instant::now();
    // On the only CPU of a machine of the lab, a glance would take time from what is measured. A model that stops the
    // process there is noticed after `longest`.
    let glance_every = if is_in_lab() { longest.unwrap_or(Duration::MAX) } else { GLANCE_EVERY };
    // Counted in glances: while this process is stopped too (Ctrl-Z), no time passes.
    let (mut stopped, mut glance) = (Duration::ZERO, Duration::ZERO);
    loop {
        if let Some(status) = process.try_wait().map_err(failed)? {
            return Ok(status);
        }
        let is_stopped = is_stopped(Pid::from_child(process));
        stopped = if is_stopped { stopped + glance } else { Duration::ZERO };
        let late = longest.filter(|longest| started.elapsed() > *longest);
        let error = match late {
            _ if !keep_going() => TargetError::Interrupted,
            _ if stopped > LONGEST_STOP => TargetError::Failed(format!(
                "the run was stopped (SIGSTOP) by its model or by another process, and did not \
                 continue within {LONGEST_STOP:?}"
            )),
            Some(longest) => TargetError::Failed(format!("the run did not end within {longest:?}")),
            None => {
                glance = sleep_until_end(Pid::from_child(process), glance_every);
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
