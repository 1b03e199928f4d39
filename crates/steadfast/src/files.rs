//! Files that a person finds afterwards.

use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use analysis::{Analysis, json};
use anyhow::{Context, Error, Result, bail};
use rt::link::{create, refuse_a_strangers};

/// Makes a directory, where there is none yet.
pub(crate) fn make_directory(path: &Path) -> Result<()> {
    let made = refuse_a_strangers(path).and_then(|()| fs::create_dir_all(path));
    made.with_context(|| {
        format!("the directory {} cannot be made; name another with --out", path.display())
    })
}

/// Writes report.html and report.json.
pub(crate) fn write_reports(directory: &Path, analysis: &Analysis) -> Result<()> {
    write_report(directory, &|out| json::write(analysis, out), analysis)
}

const JSON: &str = "report.json";
const HTML: &str = "report.html";
const INTERACTIVE: &str = "interactive.html";

/// The same, of which report.json holds a part.
pub(crate) fn write_report(directory: &Path, json: Content<'_>, analysis: &Analysis) -> Result<()> {
    put_with(&directory.join(JSON), "--out", json)?;
    put(&directory.join(HTML), &report::html(analysis), "--out")
}

/// Writes interactive.html.
pub(crate) fn write_interactive(directory: &Path, analysis: &Analysis) -> Result<()> {
    let page = report::interactive_html(analysis);
    put(&directory.join(INTERACTIVE), &page, "--out")
}

/// Refuses a file, named by a flag, that has no directory to be in.
pub(crate) fn check_place(path: &Path, flag: &str) -> Result<()> {
    if path.is_dir() {
        bail!("{flag}: {} is a directory; name a file", path.display());
    }
    if !directory_of(path).is_dir() {
        let directory = directory_of(path).display();
        bail!("{flag}: there is no directory {directory}; make it, or name another file");
    }
    refuse_a_strangers(path).with_context(|| cannot_be_written(path, flag))
}

/// Writes text into the file that a flag names; what is no plain file, such as
/// /dev/stdout, is written to and stays what it is.
pub(crate) fn write(path: &Path, text: &str, flag: &str) -> Result<()> {
    check_place(path, flag)?;
    match path.symlink_metadata() {
        Ok(known) if !known.is_file() => create(path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| cannot_be_written(path, flag)),
        _ => put(path, text, flag),
    }
}

fn cannot_be_written(path: &Path, flag: &str) -> String {
    format!("{flag}: {} cannot be written", path.display())
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Puts a whole file, whose place a flag names, in place at once.
fn put(path: &Path, text: &str, flag: &str) -> Result<()> {
    put_with(path, flag, &|out| out.write_all(text.as_bytes()))
}

/// Writes a file's content to where it is wanted.
type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Puts a whole file, whose place a flag names, in place at once, as it is written.
pub(crate) fn put_with(path: &Path, flag: &str, content: Content<'_>) -> Result<()> {
    replace_with(path, content).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::FileTooLarge => "allow larger files (ulimit -f)",
            _ => "free space",
        };
        let path = path.display();
        let told = format!("{path} cannot be written; {remedy} or name another place with {flag}");
        Error::new(error).context(told)
    })
}

/// Puts a whole file in place at once: a reader sees the old one or the new one.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    replace_with(path, &|out| out.write_all(text.as_bytes()))
}

fn replace_with(path: &Path, content: Content<'_>) -> io::Result<()> {
    refuse_a_strangers(directory_of(path))?;
    let readable = Permissions::from_mode(0o644);
    let mut file =
        tempfile::Builder::new().permissions(readable).tempfile_in(directory_of(path))?;
    let mut buffered = BufWriter::new(&mut file);
    content(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
