//! Skipped tests and their number.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{Write, stderr};
use std::os::unix::process::parent_id;
use std::path::PathBuf;
use std::{env, thread};

/// Reports that the calling test is skipped and why, even if the harness hides what a passing test
/// prints, and records it for the end of this `cargo test`.
pub fn skip(why: &str) {
    let this = thread::current();
    let name = this.name().unwrap_or("a test");
    say(&format!("skipped: {name}: {why}"));
    if let (Some(path), Ok(program)) = (notes(), env::current_exe()) {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let note = format!("{} {name}\n", program.display());
        // If it cannot be recorded, it has at least been printed.
        let _ = file.and_then(|mut file| file.write_all(note.as_bytes()));
    }
}

/// What a test that uses real-time policies needs.
pub const REAL_TIME: &str = "the right to use real-time policies (CAP_SYS_NICE)";

/// Reports that the calling test is skipped unless it has what it needs. The test returns then:
/// `let Some(()) = needs(has, what) else { return };`.
#[must_use]
pub fn needs(has: bool, what: &str) -> Option<()> {
    if !has {
        skip(&format!("needs {what}"));
    }
    has.then_some(())
}

/// Prints a line even if the harness hides what a passing test prints.
pub(crate) fn say(line: &str) {
    // If standard error is closed, the line is lost.
    let _ = writeln!(stderr(), "{line}");
}

/// Returns the tests that this `cargo test` has skipped so far, with their programs, and deletes
/// the records of earlier ones.
pub fn skipped() -> BTreeSet<String> {
    let Some(path) = notes() else {
        return BTreeSet::new();
    };
    let text = fs::read_to_string(&path).unwrap_or_default();
    let all = path.parent().and_then(|folder| fs::read_dir(folder).ok());
    let names = all.into_iter().flatten().flatten().map(|entry| entry.path());
    for old in names.filter(|path| path.extension().is_some_and(|end| end == ENDING)) {
        // It is read only once, here.
        let _ = fs::remove_file(old);
    }
    text.lines().map(str::to_owned).collect()
}

const ENDING: &str = "skipped-tests";

/// Returns one file per `cargo test`, which is the parent of every test program: its name has the
/// process ID and start time of the parent.
fn notes() -> Option<PathBuf> {
    const START_TIME: usize = 19;
    let cargo = parent_id();
    let stat = fs::read_to_string(format!("/proc/{cargo}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let started = after_name.split_whitespace().nth(START_TIME)?;
    let program = env::current_exe().ok()?;
    Some(program.parent()?.join(format!("{cargo}-{started}.{ENDING}")))
}
