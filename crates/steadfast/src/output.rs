//! Standard output and standard error, whose readers may leave.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};

use analysis::answer::{Answer, Standing};
use anyhow::Result;
use report::{Span, Weight};
use units::{shown, shown_lines, wrapped};

/// Columns that every line for a terminal keeps to.
pub(crate) const WIDTH: usize = 80;

/// A name in so many columns and what it is, in lines below each other.
pub(crate) fn entry(columns: usize, name: &str, words: &str) -> String {
    let lines = wrapped(words, WIDTH - columns - 3);
    let mut name = name;
    let mut text = String::new();
    for line in lines {
        text += &format!("  {name:<columns$} {line}\n");
        name = "";
    }
    text
}

/// Writes text to standard output at once; what came from elsewhere commands no terminal.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    out.write_all(shown_lines(text).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints an answer at first glance, in colour where a terminal shows it and nobody asks for
/// none (no-color.org).
pub(crate) fn print_answer(answer: &Answer, more: &str) -> Result<()> {
    let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_coloured = stdout().is_terminal() && !plain;
    let mut text = String::new();
    for line in report::brief(answer, more) {
        for Span { text: words, weight } in line {
            let words = shown(&words);
            match is_coloured.then(|| code(weight)).flatten() {
                Some(code) => text.extend(["\u{1b}[", code, "m", &*words, "\u{1b}[0m"]),
                None => text.push_str(&words),
            }
        }
        text.push('\n');
    }
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// How a terminal is told a weight (ECMA-48, select graphic rendition).
fn code(weight: Weight) -> Option<&'static str> {
    match weight {
        Weight::Plain => None,
        Weight::Strong | Weight::Verdict(Standing::Plain) => Some("1"),
        Weight::Faint => Some("2"),
        Weight::Verdict(Standing::Good) => Some("1;32"),
        Weight::Verdict(Standing::Open) => Some("1;33"),
        Weight::Verdict(Standing::Bad) => Some("1;31"),
    }
}

/// Writes long text to standard output as it is made, line by line.
pub(crate) fn print_with(text: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = Lines { line: Vec::new(), out: BufWriter::new(stdout().lock()) };
    text(&mut out)?;
    out.out.flush()?;
    Ok(())
}

/// Holds text back until a line is whole, to write what commands no terminal.
struct Lines<W> {
    line: Vec<u8>,
    out: W,
}

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend(part);
            if part.ends_with(b"\n") {
                let line = String::from_utf8_lossy(&self.line);
                self.out.write_all(shown_lines(&line).as_bytes())?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Says something on standard error, where anybody reads it. It is one line, whatever the names
/// and values in it hold: control characters are written out.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(stderr(), "{}", shown(line));
}

/// Refuses to work for nobody: standard output was closed before the program began.
pub(crate) fn expect_open() -> Result<()> {
    if rt::streams::output_was_closed() {
        tell("error: standard output is closed; send it to /dev/null where nobody is to read it");
        return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
    }
    Ok(())
}

/// Whether an error only says that nobody reads standard output any more, as in
/// `steadfast list | head -1`.
pub(crate) fn nobody_reads(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
