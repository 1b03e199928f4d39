//! Compiles C sources with `cc`, and keeps the results next to the tests for later use.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU64, Ordering};

/// Names to define for the compiler, each with a number, such as `("ALLOCATE_AT", "1000")`.
pub type Defines<'a> = [(&'a str, &'a str)];

/// Returns the file with this name, compiled from sources in `models/`: a library if the name ends
/// in `.so`, otherwise a program.
pub(super) fn compiled(name: &str, sources: &[&str], defines: &Defines) -> PathBuf {
    let folder = folder(sources, defines);
    let file = folder.join(name);
    if !file.exists() {
        place(&file, |file| compile(file, sources, defines, name.ends_with(".so")));
    }
    file
}

/// Creates a file under another name first, so that no other process finds an incomplete one. The
/// first to finish places it: a file that is in use is not replaced.
pub(super) fn place(file: &Path, make: impl FnOnce(&Path)) {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let count = MADE.fetch_add(1, Ordering::Relaxed);
    let first = file.with_extension(format!("{}-{count}", process::id()));
    make(&first);
    let placed = fs::hard_link(&first, file);
    let is_there = |error: &Error| error.kind() == ErrorKind::AlreadyExists;
    assert!(placed.as_ref().err().is_none_or(is_there), "the folder is ours: {placed:?}");
    fs::remove_file(&first).expect("the folder is ours");
}

fn compile(file: &Path, sources: &[&str], defines: &Defines, is_library: bool) {
    let mut compiler = Command::new("cc");
    compiler.args(OPTIONS);
    if is_library {
        compiler.args(["-shared", "-fPIC"]);
    }
    if sources.contains(&TRACE) {
        compiler.arg("-finstrument-functions");
    }
    compiler.args(defines.iter().map(|(name, value)| format!("-D{name}={value}")));
    compiler.args(["-I", ATTACHING]);
    compiler.args(sources.iter().map(|source| Path::new(MODELS).join(source)));
    compiler.arg("-o").arg(file).arg("-lm");
    let output = compiler.output().expect("cc is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

const OPTIONS: [&str; 8] = [
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-O1",
    "-g",
    // Gives the same results as Rust on every processor.
    "-ffp-contract=off",
    "-pthread",
];
/// The source that traces the calls of all others.
pub(super) const TRACE: &str = "trace.c";
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
/// The folder of the header with which a program attaches.
const ATTACHING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../rt/include");

/// Returns a folder for the present version of these sources and these definitions, next to the
/// running test.
fn folder(sources: &[&str], defines: &Defines) -> PathBuf {
    let mut hash = DefaultHasher::new();
    (OPTIONS, sources, defines).hash(&mut hash);
    for folder in [MODELS, ATTACHING] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort_unstable();
        files.iter().for_each(|file| fs::read(file).ok().hash(&mut hash));
    }
    let program = env::current_exe().expect("a test has a file");
    let beside = program.parent().expect("a file lies in a folder");
    let folder = beside.join("models").join(format!("{:016x}", hash.finish()));
    fs::create_dir_all(&folder).expect("the folder is ours");
    folder
}
