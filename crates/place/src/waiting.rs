//! Waits for CPUs on which another process measures.

use std::io::{self, Read, Write, stderr};
use std::thread;
use std::time::{Duration, Instant};

use base::{CpuSet, wrapped};
use record::LiveFigures;
use rt::claim::{MEASURED_BY_OTHERS, Tense, claimants, in_words};
use rt::printed::MARK;

use crate::{KeepGoing, TargetError, live};

/// How often the state of a process is checked.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a run waits for its CPUs.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60);

/// The most bytes of a line that are examined.
const LONGEST_LINE: usize = 1000;

/// Width of every line, in columns.
const WIDTH: usize = 80;

/// The beginning of a line that informs the user while the run waits.
const WAITING: &str = "waiting: ";

/// The beginnings of lines that are passed on to the user: of waiting, what a model prints, and figures of a run that is
/// shown while it measures.
const PASSED_ON: [&str; 3] = [WAITING, MARK, LiveFigures::MARK];

/// Waits until none measures on the CPUs, at most [`LONGEST_WAIT`], and says for which it waits.
pub(crate) fn until_nobody_measures(
    cpus: &CpuSet,
    keep_going: KeepGoing,
) -> Result<(), TargetError> {
    let give_up = Instant::now() + LONGEST_WAIT;
    let mut is_reported = false;
    loop {
        // If this cannot be found out, the run reports it.
        let mut others = claimants(cpus).unwrap_or_default();
        others.retain(|other| !other.is_ignored());
        if others.is_empty() {
            return Ok(());
        }
        let who = in_words(&others, Tense::Present);
        if !is_reported {
            let lines = lines(&format!(
                "{who}; at most {} min; --beside measures at the same time",
                LONGEST_WAIT.as_secs() / 60
            ));
            lines.iter().for_each(|line| print(line));
            is_reported = true;
        }
        if !keep_going() {
            return Err(TargetError::Interrupted);
        }
        if Instant::now() >= give_up {
            return Err(TargetError::Failed(format!(
                "{MEASURED_BY_OTHERS}{who}; that did not end within {} min; --beside measures at \
                 the same time",
                LONGEST_WAIT.as_secs() / 60
            )));
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Returns what the run waits for, in lines that fit a terminal. Each line is marked, so that a
/// process that reads them through a pipe passes all of them on.
fn lines(words: &str) -> Vec<String> {
    let lines = wrapped(words, WIDTH - WAITING.len()).into_iter();
    lines.map(|line| format!("{WAITING}{line}")).collect()
}

fn print(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// A pipe with a process's output: passes on the lines that are for the user, and keeps everything.
pub(crate) struct PassedOn<R> {
    pipe: R,
    line: Vec<u8>,
}

impl<R: Read> PassedOn<R> {
    pub(crate) fn of(pipe: R) -> Self {
        Self { pipe, line: Vec::new() }
    }
}

impl<R: Read> Read for PassedOn<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.pipe.read(bytes)?;
        for byte in &bytes[..length] {
            match byte {
                b'\n' => {
                    pass_on(&self.line);
                    self.line.clear();
                }
                _ if self.line.len() < LONGEST_LINE => self.line.push(*byte),
                _ => {}
            }
        }
        Ok(length)
    }
}

fn pass_on(line: &[u8]) {
    if let Some(line) = for_user(line)
        && !live::shows(&line)
    {
        print(&line);
    }
}

/// Returns a line that is for the user, without control characters.
fn for_user(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    let text: String = line.chars().filter(|letter| !letter.is_control()).collect();
    PASSED_ON.iter().any(|mark| text.starts_with(mark)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_waiting_fit_a_terminal_and_pass_a_pipe_unchanged() {
        let who = "process 4711 measures on CPU 1, for 20 s now (`steadfast run wakeup --period 1ms \
                   --policy fifo:80 --seconds 600 --store /tmp/a.db`); at most 10 min";
        let lines = lines(who);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= WIDTH));
        let heard: Vec<String> =
            lines.iter().filter_map(|line| for_user(line.as_bytes())).collect();
        assert_eq!(heard, lines);
    }

    #[test]
    fn only_lines_for_the_user_are_printed_and_everything_is_kept() {
        let told = |line: &[u8]| for_user(line);
        assert_eq!(told(b"error: it failed"), None);
        let line = b"waiting: process 1 \x1b[2Jmeasures";
        assert_eq!(told(line).as_deref(), Some("waiting: process 1 [2Jmeasures"));
        assert_eq!(told(b"live: {}").as_deref(), Some("live: {}"));
        assert_eq!(told(b"model: hello").as_deref(), Some("model: hello"));
        let said = vec![b'a'; 3 * LONGEST_LINE];
        let mut pipe = PassedOn::of(said.as_slice());
        let mut kept = Vec::new();
        pipe.read_to_end(&mut kept).unwrap();
        assert_eq!((kept, pipe.line.len()), (said, LONGEST_LINE));
    }
}
