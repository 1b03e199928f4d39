//! Output files that a user names.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use analysis::Analysis;
use anyhow::{Context, Error, Result, bail};
use report::Page;
use rt::link::{create, refuse_a_strangers};

pub(crate) fn make_directory(path: &Path) -> Result<()> {
    refuse_dash(path, "--out")?;
    let made = refuse_a_strangers(path).and_then(|()| fs::create_dir_all(path));
    made.with_context(|| {
        format!("cannot create the directory {}; choose another with --out", path.display())
    })
}

pub(crate) fn write_reports(directory: &Path, analysis: &Analysis) -> Result<()> {
    write_report(directory, &|out| report::json(analysis, out), &|| report::page(analysis))
}

const JSON: &str = "report.json";
const HTML: &str = "report.html";
const TABLES: &str = "tables";

/// Writes report.html from a page, and report.json with the given content.
pub(crate) fn write_report(
    directory: &Path,
    json: Content<'_>,
    page: &dyn Fn() -> Page,
) -> Result<()> {
    put_with(&directory.join(JSON), "--out", json)?;
    let page = page();
    let tables = directory.join(TABLES);
    make_directory(&tables)?;
    for (name, table) in &page.tables {
        put(&tables.join(name), table, "--out")?;
    }
    put(&directory.join(HTML), &page.html, "--out")
}

pub(crate) fn report_line(directory: &Path) -> String {
    format!("\nReport:  {}\n", directory.join(HTML).display())
}

/// Refuses `-`, which means standard output to other programs.
fn refuse_dash(path: &Path, flag: &str) -> Result<()> {
    if path == Path::new("-") {
        bail!("{flag}: `-` is not a name here; use ./- for a file or directory of that name");
    }
    Ok(())
}

/// Checks that a flag names a file that can be written: no directory, but in one that exists.
pub(crate) fn check_place(path: &Path, flag: &str) -> Result<()> {
    refuse_dash(path, flag)?;
    if path.is_dir() {
        bail!("{flag}: {} is a directory; name a file", path.display());
    }
    let directory = directory_of(path);
    if !directory.is_dir() {
        let directory = directory.display();
        bail!(
            "{flag}: the directory {directory} does not exist; create it, or choose another file"
        );
    }
    if let Ok(target) = fs::read_link(path) {
        let target = directory.join(target);
        if !directory_of(&target).is_dir() {
            let (link, target) = (path.display(), target.display());
            bail!(
                "{flag}: {link} is a link to {target}, whose directory does not exist; create it, or choose another file"
            );
        }
    }
    if is_database(path) {
        bail!("{flag}: {} is a results database; name another file", path.display());
    }
    refuse_a_strangers(path).with_context(|| cannot_be_written(path, flag))
}

/// Whether a plain file begins as SQLite's databases do, such as stores.
fn is_database(path: &Path) -> bool {
    const HEAD: &[u8; 16] = b"SQLite format 3\0";
    let mut head = [0; HEAD.len()];
    path.is_file()
        && File::open(path)
            .is_ok_and(|mut file| file.read_exact(&mut head).is_ok() && head == *HEAD)
}

/// Writes the file that a flag names. A file that is not a plain file, such as /dev/stdout,
/// is written to directly and not replaced.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>, flag: &str) -> Result<()> {
    check_place(path, flag)?;
    match path.symlink_metadata() {
        Ok(known) if !known.is_file() => create(path)
            .and_then(|mut file| file.write_all(content.as_ref()))
            .with_context(|| cannot_be_written(path, flag)),
        _ => put(path, content, flag),
    }
}

fn cannot_be_written(path: &Path, flag: &str) -> String {
    format!("{flag}: cannot write {}", path.display())
}

pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Replaces a whole file, whose place a flag names, atomically.
pub(crate) fn put(path: &Path, content: impl AsRef<[u8]>, flag: &str) -> Result<()> {
    put_with(path, flag, &|out| out.write_all(content.as_ref()))
}

type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Replaces a whole file, whose place a flag names, atomically and piece by piece.
pub(crate) fn put_with(path: &Path, flag: &str, content: Content<'_>) -> Result<()> {
    replace_with(path, content).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::FileTooLarge => "allow larger files (ulimit -f)",
            _ => "free space",
        };
        let path = path.display();
        let why = format!("cannot write {path}; {remedy}, or choose another place with {flag}");
        Error::new(error).context(why)
    })
}

/// Replaces a whole file atomically: a reader sees the old content or the new.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    replace_with(path, &|out| out.write_all(text.as_bytes()))
}

fn replace_with(path: &Path, content: Content<'_>) -> io::Result<()> {
    let directory = directory_of(path);
    refuse_a_strangers(directory)?;
    let readable = Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new().permissions(readable).tempfile_in(directory)?;
    let mut buffered = BufWriter::new(&mut file);
    content(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
