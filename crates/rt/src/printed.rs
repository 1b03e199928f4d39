//! What foreign code prints. It goes into a file in memory, so that printing never waits for a
//! reader, and is still there after the code has ended its process.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::process::Stdio;

use base::shown;
use rustix::fs::{FallocateFlags, MemfdFlags, OFlags, fallocate, fcntl_get_seals, memfd_create};

/// The beginning of a line that a model has printed.
pub const MARK: &str = "model: ";

/// The number of bytes that are passed on at most.
const MOST: usize = 64 << 10;
/// The number of bytes that are kept of a line.
const LONGEST_LINE: usize = 1000;
/// The number of bytes at the end in which the last lines are searched; older ones that were read are
/// freed.
const END: u64 = 4096;
/// The number of last lines that are quoted, and the number of characters of each.
const QUOTED: [usize; 2] = [5, 160];
/// The beginning of the line in which this program's own processes say why they end.
const OWN_ERROR: &str = "error: ";

/// The output of a process that runs foreign code.
#[derive(Debug)]
pub struct Printed {
    file: File,
    read: u64,
    line: Vec<u8>,
    passed_on: usize,
    left_out: u64,
    /// The last line, if it may be the error of the process itself.
    held: Option<String>,
}

impl Printed {
    /// Creates an empty output.
    ///
    /// # Errors
    /// Fails without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        let file = memfd_create("steadfast-printed", MemfdFlags::CLOEXEC)?;
        // Each process that writes into it appends.
        rustix::fs::fcntl_setfl(&file, OFlags::APPEND | OFlags::RDWR)?;
        let file = file.into();
        Ok(Self { file, read: 0, line: Vec::new(), passed_on: 0, left_out: 0, held: None })
    }

    /// Returns the end into which a process that is started with it prints.
    ///
    /// # Errors
    /// Fails without descriptors.
    pub fn input(&self) -> io::Result<Stdio> {
        Ok(self.file.try_clone()?.into())
    }

    /// Passes on the lines that were printed since the last call, each with [`MARK`] and without
    /// control characters. Call it several times per second: what was read needs no more memory.
    pub fn pass_on(&mut self, to: &mut impl Write) {
        let mut chunk = [0; END as usize];
        // A process may have opened its output again, and emptied it.
        self.read = self.read.min(self.file.metadata().map_or(0, |file| file.len()));
        while let Ok(count @ 1..) = self.file.read_at(&mut chunk, self.read) {
            self.read += count as u64;
            chunk[..count].iter().for_each(|byte| self.take(*byte, to));
        }
        if let Some(freed @ 1..) = self.read.checked_sub(END) {
            let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            // Without it, the output takes more memory until the process ends.
            let _ = fallocate(&self.file, hole, 0, freed);
        }
    }

    /// Passes on the rest after the process has ended. Returns its own error, without `error: `, which
    /// is its last line if `is_error` says that it ended with one.
    pub fn finish(&mut self, is_error: bool, to: &mut impl Write) -> Option<String> {
        self.pass_on(to);
        if !self.line.is_empty() {
            self.end_line(to);
        }
        let last = self.held.take();
        if let (false, Some(line)) = (is_error, &last) {
            self.print(line, to);
        }
        if self.left_out > 0 {
            let (left_out, most) = (self.left_out, MOST >> 10);
            let _ = writeln!(to, "{MARK}{left_out} more bytes; {most} KiB per run are shown");
        }
        last.filter(|_| is_error).map(|line| line[OWN_ERROR.len()..].to_owned())
    }

    /// Returns the last lines that were printed, without control characters, and cut to a width.
    #[must_use]
    pub fn last_lines(&self) -> Vec<String> {
        last_lines_of(&self.file)
    }

    fn take(&mut self, byte: u8, to: &mut impl Write) {
        match byte {
            b'\n' => self.end_line(to),
            _ if self.line.len() < LONGEST_LINE => self.line.push(byte),
            _ => self.left_out += 1,
        }
    }

    fn end_line(&mut self, to: &mut impl Write) {
        if let Some(held) = self.held.take() {
            self.print(&held, to);
        }
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        if line.starts_with(OWN_ERROR) {
            self.held = Some(line);
        } else {
            self.print(&line, to);
        }
    }

    fn print(&mut self, line: &str, to: &mut impl Write) {
        if self.passed_on + line.len() > MOST {
            self.left_out += line.len() as u64;
            return;
        }
        self.passed_on += line.len();
        // Without a reader, nobody misses it.
        let _ = writeln!(to, "{MARK}{}", shown(line.trim_end()));
    }
}

/// Returns the last lines that this process has printed, if it was started to print into memory.
#[must_use]
pub fn last_lines_here() -> Vec<String> {
    let is_in_memory = fcntl_get_seals(rustix::stdio::stderr()).is_ok();
    let output = is_in_memory.then(|| rustix::io::dup(rustix::stdio::stderr()).ok()).flatten();
    output.map_or_else(Vec::new, |output| last_lines_of(&output.into()))
}

/// Writes what this process's C library still keeps of what foreign code has printed.
pub fn flush() {
    // SAFETY: fflush(3) accepts null, which means all output streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

fn last_lines_of(output: &File) -> Vec<String> {
    let [lines, width] = QUOTED;
    let length = output.metadata().map_or(0, |file| file.len());
    let start = length.saturating_sub(END);
    let mut end = [0; END as usize];
    let count = output.read_at(&mut end, start).unwrap_or(0);
    let end = String::from_utf8_lossy(&end[..count]);
    // The first line may have begun before.
    let whole = if start > 0 { end.split_once('\n').map_or("", |(_, rest)| rest) } else { &end };
    let mut last: Vec<String> = whole
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(OWN_ERROR))
        .map(|line| shown(&line.chars().take(width).collect::<String>()).into_owned())
        .collect();
    last.drain(..last.len().saturating_sub(lines));
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn printed(script: &str) -> Printed {
        let printed = Printed::new().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).stdout(printed.input().unwrap());
        shell.stderr(printed.input().unwrap()).status().unwrap();
        printed
    }

    fn all_of(printed: &mut Printed, is_error: bool) -> (String, Option<String>) {
        let mut passed = Vec::new();
        let error = printed.finish(is_error, &mut passed);
        (String::from_utf8(passed).unwrap(), error)
    }

    #[test]
    fn lines_of_both_streams_are_marked_and_cannot_control_a_terminal() {
        let mut said = printed(r"echo one; echo two >&2; printf '\033[2Jred\nno end'");
        let expected = "model: one\nmodel: two\nmodel: \\u001b[2Jred\nmodel: no end\n";
        assert_eq!(all_of(&mut said, false), (expected.to_owned(), None));
        assert_eq!(said.last_lines(), ["one", "two", "\\u001b[2Jred", "no end"]);
    }

    #[test]
    fn the_error_of_the_process_itself_is_no_output_of_the_model() {
        let script = "echo 'error: of the model'; echo 'error: own'";
        let marked = "model: error: of the model\n";
        assert_eq!(all_of(&mut printed(script), true), (marked.into(), Some("own".into())));
        let (passed, error) = all_of(&mut printed(script), false);
        assert_eq!((passed, error), (format!("{marked}model: error: own\n"), None));
    }

    #[test]
    fn a_long_output_is_bounded_says_what_is_missing_and_its_end_is_kept() {
        let mut said = printed("yes 'what is this' | head -n 100000; echo the end");
        let mut passed = Vec::new();
        said.pass_on(&mut passed);
        let (rest, _) = all_of(&mut said, false);
        let text = String::from_utf8(passed).unwrap() + &rest;
        assert!(text.len() < 2 * MOST, "{}", text.len());
        let shown = text.lines().filter(|line| line.ends_with("what is this")).count();
        let left_out = 100_000 * 12 + "the end".len() - shown * 12;
        assert!(
            text.ends_with(&format!("model: {left_out} more bytes; 64 KiB per run are shown\n"))
        );
        let last = said.last_lines();
        assert_eq!((last.len(), &*last[4], &*last[0]), (5, "the end", "what is this"));
        let blocks = std::os::unix::fs::MetadataExt::blocks(&said.file.metadata().unwrap());
        assert!(blocks * 512 <= 4 * END, "{blocks}");
    }

    #[test]
    fn an_output_that_was_opened_again_and_emptied_is_still_read() {
        let mut said = printed("echo one");
        let mut passed = Vec::new();
        said.pass_on(&mut passed);
        Command::new("sh")
            .args(["-c", "echo two > /proc/self/fd/1; echo three"])
            .stdout(said.input().unwrap())
            .status()
            .unwrap();
        let (rest, _) = all_of(&mut said, false);
        assert!(rest.ends_with("model: three\n"), "{rest}");
    }
}
