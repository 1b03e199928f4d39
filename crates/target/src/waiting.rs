//! Waiting for CPUs on which another process measures.

use std::io::{self, Read, Write, stderr};
use std::thread;
use std::time::{Duration, Instant};

use rt::claim::{MEASURED_BY_OTHERS, claimants, in_words};
use units::{CpuSet, wrapped};

use crate::TargetError;

/// How often a process is looked at.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a run waits for its CPUs.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60);

/// The most of a line that is looked at.
const LONGEST_LINE: usize = 1000;

/// Columns that every line keeps to.
const WIDTH: usize = 80;

/// How a line begins that is for a person to read while the run waits.
const WAITING: &str = "waiting: ";

/// Waits until no other process measures on the CPUs, and says for whom.
///
/// # Errors
/// Where `keep_going` says no, and where they still do after [`LONGEST_WAIT`].
pub(crate) fn until_nobody_measures(
    cpus: &CpuSet,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), TargetError> {
    let give_up = Instant::now() + LONGEST_WAIT;
    let mut is_told = false;
    loop {
        // Where it cannot be known, the run says so.
        let others = claimants(cpus).unwrap_or_default();
        if others.is_empty() {
            return Ok(());
        }
        let who = in_words(&others);
        if !is_told {
            let lines = lines(&format!(
                "{who}; at most {} min; --beside measures beside it",
                LONGEST_WAIT.as_secs() / 60
            ));
            lines.iter().for_each(|line| tell(line));
            is_told = true;
        }
        if !keep_going() {
            return Err(TargetError::Interrupted);
        }
        if Instant::now() >= give_up {
            return Err(TargetError::Failed(format!(
                "{MEASURED_BY_OTHERS}{who}; that did not end within {} min; --beside measures \
                 beside it",
                LONGEST_WAIT.as_secs() / 60
            )));
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// What is waited for, in lines that a terminal holds. Each says that it is such a line, so that
/// whoever hears them through a pipe tells them all.
fn lines(words: &str) -> Vec<String> {
    let lines = wrapped(words, WIDTH - WAITING.len()).into_iter();
    lines.map(|line| format!("{WAITING}{line}")).collect()
}

/// Says something on standard error, where anybody reads it.
fn tell(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// A pipe of what a process says: what it waits for is told at once, and the rest kept for
/// its end.
pub(crate) struct WaitsTold<R> {
    pipe: R,
    line: Vec<u8>,
}

impl<R: Read> WaitsTold<R> {
    pub(crate) fn of(pipe: R) -> Self {
        let line = Vec::new();
        Self { pipe, line }
    }
}

impl<R: Read> Read for WaitsTold<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.pipe.read(bytes)?;
        for byte in &bytes[..length] {
            match byte {
                b'\n' => {
                    waits(&self.line).as_deref().map(tell);
                    self.line.clear();
                }
                _ if self.line.len() < LONGEST_LINE => self.line.push(*byte),
                _ => {}
            }
        }
        Ok(length)
    }
}

/// What a line says of waiting, without what a terminal would obey.
fn waits(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    let text: String = line.chars().filter(|letter| !letter.is_control()).collect();
    text.starts_with(WAITING).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for_keeps_to_a_terminal_and_passes_a_pipe_whole() {
        let who = "process 4711 measures on CPU 1 since 20 s (`steadfast run wakeup --period 1ms \
                   --policy fifo:80 --seconds 600 --store /tmp/a.db`); at most 10 min";
        let lines = lines(who);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= WIDTH));
        let heard: Vec<String> = lines.iter().filter_map(|line| waits(line.as_bytes())).collect();
        assert_eq!(heard, lines);
    }

    #[test]
    fn only_what_is_waited_for_is_told_and_all_is_kept() {
        let told = |line: &[u8]| waits(line);
        assert_eq!(told(b"error: it failed"), None);
        let line = b"waiting: process 1 \x1b[2Jmeasures";
        assert_eq!(told(line).as_deref(), Some("waiting: process 1 [2Jmeasures"));
        let said = vec![b'a'; 3 * LONGEST_LINE];
        let mut pipe = WaitsTold::of(said.as_slice());
        let mut kept = Vec::new();
        pipe.read_to_end(&mut kept).unwrap();
        assert_eq!((kept, pipe.line.len()), (said, LONGEST_LINE));
    }
}
