//! Parsers tried with changed inputs, each within limits of time and memory.
//!
//! The inputs are tried in a process of their own, so that a parser that never ends, takes too much
//! memory or ends its process is found too, and named with its input. `scripts/fuzz` tries many
//! more, and keeps those that take new paths through the program.

mod limits;
mod paths;

use std::any::type_name;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, process};

use limits::{Input, Memory};
use paths::Paths;

use crate::Odd;
use crate::odd::{cases, seed};

/// Environment variables: the test that this process was started for; one input to try, in this
/// file; and a folder of inputs that took new paths, with a folder for each test.
const ALONE: &str = "STEADFAST_CORPUS_OF";
const INPUT: &str = "STEADFAST_INPUT";
const FOLDER: &str = "STEADFAST_CORPUS";
/// The folder where the process keeps the input that it tries.
const KEPT: &str = "STEADFAST_CORPUS_KEPT";
/// Inputs are cut to this number of bytes.
const LONGEST: usize = 1 << 18;

/// Tries `usual` inputs, or as many as `STEADFAST_CASES` says: the seeds themselves, then changed
/// ones. For each, `read` must return without a panic, within 2 s of CPU time, and with at most
/// 64 MiB of memory. The closure must be written in the test itself, which has its name from it.
pub fn try_corpus<F: FnMut(&[u8])>(seeds: &[impl AsRef<[u8]>], usual: u64, read: F) {
    let name = test_of::<F>();
    if env::var_os(ALONE).is_some_and(|alone| alone == *name) {
        in_this_process(name, seeds, usual, read);
    } else {
        in_another_process(name);
    }
}

/// Returns the name of the test in which a closure is written, as the harness calls it.
fn test_of<F>() -> &'static str {
    let path = type_name::<F>();
    let path = path.split_once("::").map_or(path, |(_, path)| path);
    path.trim_end_matches("::{{closure}}")
}

fn in_another_process(name: &str) {
    let folder = env::temp_dir().join(format!("steadfast-corpus-{}-{}", process::id(), hash(name)));
    fs::create_dir_all(&folder).expect("the folder is ours");
    let output = fs::File::create(folder.join("output")).expect("the folder is ours");
    let errors = output.try_clone().expect("a file can be shared");
    let mut command = Command::new(env::current_exe().expect("a test has a file"));
    command.args(["--exact", name, "--nocapture", "--test-threads=1"]);
    command.env(ALONE, name).env(KEPT, &folder);
    // Threads share the memory that the limit is for.
    command.env("MALLOC_ARENA_MAX", "1").env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = command.spawn().expect("a test can be started");
    let ended = limits::ended(&mut child, &folder.join(Input::NAME));
    let said = fs::read(folder.join("output")).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    if let Err(why) = ended {
        let kept = folder.join(Input::NAME);
        panic!("{why}; {INPUT}={} tries the input alone:\n{said}", kept.display());
    }
    if env::var_os(FOLDER).is_some() {
        said.lines().filter(|line| line.starts_with("corpus ")).for_each(crate::skipped::say);
    }
    // A folder that is left disturbs nothing.
    let _ = fs::remove_dir_all(&folder);
}

fn hash(name: &str) -> u64 {
    name.bytes().fold(7, |hash: u64, byte| hash.wrapping_mul(31) ^ u64::from(byte))
}

fn in_this_process(
    name: &str,
    seeds: &[impl AsRef<[u8]>],
    usual: u64,
    mut read: impl FnMut(&[u8]),
) {
    if let Some(input) = env::var_os(INPUT) {
        return read(&fs::read(input).expect("the input is readable"));
    }
    let kept = PathBuf::from(env::var_os(KEPT).expect("the other process names a folder"));
    let own = env::var_os(FOLDER).map(|folder| Path::new(&folder).join(name.replace("::", ".")));
    let mut corpus: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.as_ref().to_vec()).collect();
    corpus.extend(own.iter().flat_map(|own| kept_in(own)));
    let (mut input, mut paths, first) = (Input::create(&kept), Paths::of_program(), corpus.len());
    let mut memory = Memory::limited(corpus.iter().map(Vec::len).max().unwrap_or(0));
    for case in 0..cases(usual) {
        let changed = match corpus.get(case as usize) {
            Some(seed) if (case as usize) < first => seed.clone(),
            _ => Odd::of(seed(), case).input(&corpus, LONGEST),
        };
        input.begin(case, &changed);
        read(&changed);
        memory.check(changed.len());
        if paths.as_mut().is_some_and(Paths::grew) && case as usize >= first {
            let new = own.iter().map(|own| own.join(format!("{:016x}", case ^ seed() << 40)));
            new.for_each(|file| fs::write(file, &changed).expect("room on the disk"));
            corpus.push(changed);
            memory.grow(corpus.last().map_or(0, Vec::len));
        }
    }
    let new = corpus.len() - first;
    let paths = paths.map_or(0, |paths| paths.count());
    // In a line of its own, after what the harness has printed.
    println!("\ncorpus {name}: {} inputs, {new} with new paths, {paths} paths", cases(usual));
}

/// Returns the inputs of earlier runs, in the order of their names; creates the folder.
fn kept_in(folder: &Path) -> Vec<Vec<u8>> {
    fs::create_dir_all(folder).expect("the folder can be created");
    let entries = fs::read_dir(folder).expect("the folder is readable");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    files.iter().filter_map(|file| fs::read(file).ok()).collect()
}

#[cfg(test)]
mod tests;
