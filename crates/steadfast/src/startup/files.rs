//! Output files that a user names.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf, absolute};

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

/// An option, and a file that it names or implies.
pub(crate) type Named = (String, PathBuf);

/// Refuses two outputs in one file, of which only the later one would remain. Devices and pipes take
/// several; what one option names twice is only read.
pub(crate) fn refuse_one_file(files: impl Iterator<Item = Named>) -> Result<()> {
    let mut known: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (flag, path) in files.filter(|(_, path)| !is_device(path)) {
        let other = known.insert(resolved(&path)?, flag.clone());
        if let Some(other) = other.filter(|other| *other != flag) {
            bail!("{other} and {flag}: both name {}; give each its own file", path.display());
        }
    }
    Ok(())
}

/// Returns the files of a results database: itself, and those in which SQLite keeps what it has not written there yet.
pub(crate) fn of_database(path: &Path, flag: &str) -> Vec<Named> {
    let file = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        (flag.to_owned(), PathBuf::from(name))
    };
    ["", "-wal", "-shm", "-journal"].map(file).into()
}

/// Returns the files of a report in a directory, without its tables.
pub(crate) fn of_report(directory: &Path) -> Vec<Named> {
    [JSON, HTML].map(|name| ("--out".to_owned(), directory.join(name))).into()
}

fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file())
}

/// Links that are followed at most: path_resolution(7).
const MOST_LINKS: usize = 40;

/// Returns the file to which a path leads, which need not exist: the same for each spelling, and for links to it.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let directory = directory_of(&path);
        let Ok(target) = fs::read_link(&path) else {
            let Ok(directory) = directory.canonicalize() else { break };
            return Ok(path
                .file_name()
                .map_or_else(|| directory.clone(), |name| directory.join(name)));
        };
        path = directory.join(target);
    }
    absolute(path)
}

/// Whether a plain file begins as SQLite's databases do, such as stores.
fn is_database(path: &Path) -> bool {
    const HEAD: &[u8; 16] = b"SQLite format 3\0";
    let mut head = [0; HEAD.len()];
    path.is_file()
        && File::open(path)
            .is_ok_and(|mut file| file.read_exact(&mut head).is_ok() && head == *HEAD)
}

/// Writes the file that a flag names. A file that is not a plain file is written to directly and not replaced; in the
/// file of standard output or error, such as /dev/stdout, what was printed before stays.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>, flag: &str) -> Result<()> {
    check_place(path, flag)?;
    let written = to_standard(path, content.as_ref());
    if let Some(written) = written {
        return written.with_context(|| cannot_be_written(path, flag));
    }
    match path.symlink_metadata() {
        Ok(known) if !known.is_file() => create(path)
            .and_then(|mut file| file.write_all(content.as_ref()))
            .with_context(|| cannot_be_written(path, flag)),
        _ => put(path, content, flag),
    }
}

/// Writes to standard output or error if a path leads to its file; `None` if it leads to neither.
fn to_standard(path: &Path, content: &[u8]) -> Option<io::Result<()>> {
    let found = path.metadata().ok()?;
    let is_of = |open: io::Result<File>| {
        let open = open.and_then(|file| file.metadata());
        open.is_ok_and(|open| (open.dev(), open.ino()) == (found.dev(), found.ino()))
    };
    let (mut out, mut error) = (io::stdout(), io::stderr());
    if is_of(out.as_fd().try_clone_to_owned().map(File::from)) {
        return Some(out.write_all(content).and_then(|()| out.flush()));
    }
    is_of(error.as_fd().try_clone_to_owned().map(File::from)).then(|| error.write_all(content))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn two_spellings_of_one_file_and_links_to_it_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink(at("new"), at("absolute")).unwrap();
        symlink("sub/../new", at("relative")).unwrap();
        symlink("loop", at("loop")).unwrap();
        let check = |names: [&str; 2]| {
            let [a, b] = names.map(at);
            refuse_one_file([("--a".to_owned(), a), ("--b".to_owned(), b)].into_iter())
        };
        for names in
            [["new", "sub/../new"], ["absolute", "relative"], ["relative", "new"], ["loop", "loop"]]
        {
            let why = check(names).unwrap_err().to_string();
            assert!(why.starts_with("--a and --b: both name "), "{why}");
        }
        for names in [["new", "sub/new"], ["loop", "new"], ["/dev/null", "/dev/null"]] {
            check(names).unwrap();
        }
    }

    #[test]
    fn a_database_has_the_files_that_sqlite_writes_beside_it() {
        let files = of_database(Path::new("q.db"), "--store");
        let wal = ("--junit".to_owned(), PathBuf::from("./q.db-wal"));
        let why = refuse_one_file(files.into_iter().chain([wal])).unwrap_err().to_string();
        assert!(why.starts_with("--store and --junit: both name ./q.db-wal"), "{why}");
    }
}
