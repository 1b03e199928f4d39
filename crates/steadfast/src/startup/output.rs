//! Standard output and standard error, whose reader may close them.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::sync::{Mutex, PoisonError};

use analysis::finding::Standing;
use anyhow::{Context, Result};
use base::{shown, shown_lines, wrapped};
use report::{Answer, Span, Weight};
use serde::Serialize;

/// The width of every line for a terminal, in columns.
pub(crate) const WIDTH: usize = 80;

/// Returns a name, in a field of `columns` columns, with its description wrapped next to it, or below
/// it if the name is longer.
pub(crate) fn entry(columns: usize, name: &str, words: &str) -> String {
    let is_long = name.chars().count() > columns;
    let above = if is_long { format!("  {name}\n") } else { String::new() };
    let beside = if is_long { "" } else { name };
    let names = std::iter::once(beside).chain(std::iter::repeat(""));
    let lines = names.zip(wrapped(words, WIDTH - columns - 3));
    above + &lines.map(|(name, line)| format!("  {name:<columns$} {line}\n")).collect::<String>()
}

/// Returns a name in a field of `columns` columns, with as much of its description as fits.
pub(crate) fn short_entry(columns: usize, name: &str, words: &str) -> String {
    format!("  {name:<columns$} {}\n", first_clauses(words, WIDTH - columns - 3))
}

/// Returns the longest start of a text of at most `width` columns that ends before a semicolon,
/// colon or parenthesis, or else before a comma; the whole text if there is none.
fn first_clauses(words: &str, width: usize) -> &str {
    let fits = |end: &usize| words[..*end].chars().count() <= width;
    let last = |marks: &[&str]| {
        let ends = marks.iter().flat_map(|mark| words.match_indices(mark));
        ends.map(|(at, _)| at).filter(fits).max()
    };
    let whole = Some(words.len()).filter(fits);
    let end = whole.or_else(|| last(&["; ", ": ", " ("])).or_else(|| last(&[", "]));
    &words[..end.unwrap_or(words.len())]
}

/// Cuts a text to `width` columns; three dots mark what was cut off.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.trim_end().to_owned();
    }
    text.chars().take(width - 4).collect::<String>() + " ..."
}

/// Returns rows with columns as wide as their widest cell, but at most `most` columns; a wider cell
/// shifts the rest of its row, and empty columns are left out.
pub(crate) fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]], most: usize) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).min(most)
    };
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(widths).filter(|(_, width)| *width > 0);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

pub(crate) const NOT_PRINTED: &str =
    "cannot write to standard output; free space, or redirect the output to another place";

/// Writes text to standard output at once, with control characters escaped.
pub(crate) fn print(text: &str) -> Result<()> {
    print_as_it_is(&shown_lines(text))
}

fn print_as_it_is(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context(NOT_PRINTED)
}

/// Prints a document with its properties in alphabetical order.
pub(crate) fn print_json(document: &impl Serialize) -> Result<()> {
    print(&format!("{:#}\n", serde_json::to_value(document)?))
}

/// Prints the short answer, in colour on a terminal unless NO_COLOR is set (no-color.org).
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
    print_as_it_is(&text)
}

/// Returns the code for a weight (ECMA-48, select graphic rendition).
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

/// Writes long text to standard output line by line, as it is produced.
pub(crate) fn print_with(text: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = Lines { line: Vec::new(), out: BufWriter::new(stdout().lock()) };
    // Other errors are those of the text's source.
    text(&mut out).or_else(|error| match error.kind() {
        io::ErrorKind::Other => Err(error.into()),
        _ => Err(error).context(NOT_PRINTED),
    })?;
    out.out.flush().context(NOT_PRINTED)
}

/// Holds text back until a line is complete, and then writes it with control characters escaped.
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

/// Prints a line on standard error. It stays one line: control characters are escaped.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(stderr(), "{}", shown(line));
}

/// Prints a line, the first time only.
pub(crate) fn tell_once(line: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.insert(line.to_owned()) {
        tell(line);
    }
}

/// Refuses to work if standard output was closed before the program started.
pub(crate) fn expect_open() -> Result<()> {
    if rt::streams::output_was_closed() {
        tell("error: standard output is closed; redirect it to /dev/null if you do not need it");
        return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
    }
    Ok(())
}

/// Returns whether the reader of standard output has ended, as in `steadfast list | head -1`.
pub(crate) fn nobody_reads(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
