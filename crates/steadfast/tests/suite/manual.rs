//! Executes those commands in the shell blocks of the README and the manual that need nothing but
//! this machine, shortened if they are long. The tests of the parser check that all of them can be
//! typed.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use crate::common::{Done, MODEST, run, steadfast};
use rt::thread::start_in;
use testing::manual::{self, Typed};
use testing::measure_beside_others;

/// Commands that are not executed here, by consecutive words of theirs, with the reason.
const EXCUSED: &[(&str, &str)] = &[
    ("quick", "takes minutes"),
    ("full", "takes half an hour"),
    ("frontier", "takes minutes"),
    ("map", "takes minutes"),
    ("interfere", "takes minutes"),
    ("gate", "takes minutes"),
    ("studies --budget", "takes minutes"),
    ("studies tel", "takes minutes"),
    ("studies mpe", "takes minutes"),
    ("studies mur", "stores of the reader's own"),
    ("knobs try", "changes settings of the machine"),
    ("knobs keep", "needs the results of an experiment"),
    ("campaign plan.toml", "a plan of the reader's own"),
    ("campaign fra-latencies", "takes minutes"),
    ("soak", "takes days"),
    ("self-test", "needs root and a quiet machine"),
    ("import", "files of other tools of the reader's own"),
    ("verify", "a certificate of the reader's own"),
    ("board", "certificates of the reader's own"),
    ("--sign", "an ssh key of the reader's own"),
    ("watch", "goes on until Ctrl-C"),
    ("model", "a model of the reader's own"),
    ("audit", "a model of the reader's own"),
    ("store rm STORE 3", "a session of the reader's own"),
    ("lab fetch", "needs the network"),
    ("lab add", "a kernel of the reader's own"),
    ("lab remove", "changes the reader's lab"),
    ("lab compare", "needs kernels of the lab"),
    ("lab verify", "needs kernels of the lab"),
    ("lab freertos", "needs a firmware"),
    ("--target", "another machine"),
    ("--source", "a device that few machines have"),
    ("--watch", "a viewer that listens"),
    ("check model", "a model of the reader's own"),
    ("mode_switch", "needs Xenomai"),
    ("frontier mix", "a plan of the reader's own"),
    ("run mix", "a plan of the reader's own"),
    ("run priority_inversion", "needs the right to real-time policies"),
];

/// Flags whose value depends on the reader's machine, or makes the run long.
const REPLACED: &str = "--seconds --steps --masses --repeat --cpus --policy --memory --idle-states \
                        --load --for --fail-if";

fn is_excused(typed: &Typed, words: &str) -> bool {
    let line = format!(" {} ", typed.words.join(" "));
    line.contains(&format!(" {words} "))
}

/// Returns the command with values that every machine permits, and shorter than a second.
fn shortened(words: &[String]) -> Vec<String> {
    let command = words.first().map_or("", String::as_str);
    if !["run", "check"].contains(&command) {
        return without(words, "--fail-if");
    }
    let mut line = without(words, REPLACED);
    let short = match command {
        "check" => "--for 1s",
        _ if words.iter().any(|word| word == "tire") => "--steps 20 --masses 400",
        _ => "--seconds 0.2",
    };
    let more = format!("{short} {MODEST} --beside");
    line.extend(more.split(' ').map(str::to_owned));
    line
}

fn without(words: &[String], flags: &str) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if flags.split(' ').any(|flag| flag == word) {
            words.next();
        } else {
            kept.push(word.clone());
        }
    }
    kept
}

/// Creates a small store with two policies, causes and kept samples.
fn small_store(path: &Path) {
    let line = "run wakeup --memory unlocked --idle-states leave --seconds 0.2 --beside --blame \
                --threshold 1us --keep-samples";
    for policy in ["other", "other:1"] {
        let done = run(&format!("{line} --policy {policy} --store {}", path.display()));
        assert_ne!(done.code(), 2);
    }
}

/// Copies stores to where the command looks for them.
fn copy_stores(words: &[String], stores: &[PathBuf], directory: &Path) {
    const READ: [&str; 6] = ["report", "certificate", "compare", "store", "studies", "trace"];
    if !READ.contains(&words[0].as_str()) {
        return;
    }
    let mut stores = stores.iter().cycle();
    for word in &words[1..] {
        let name = word.split_once('=').map_or(word.as_str(), |(_, file)| file);
        if name == "STORE" || name.ends_with(".db") {
            let place = directory.join(name);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::copy(stores.next().unwrap(), place).unwrap();
        }
    }
}

/// Returns what is wrong, if anything, with the end of a command.
fn failure(typed: &Typed, stores: &[PathBuf]) -> Option<String> {
    let words = shortened(&typed.words);
    let directory = tempfile::tempdir().unwrap();
    copy_stores(&words, stores, directory.path());
    let mut command = steadfast("");
    let done = Done(command.args(&words).current_dir(directory.path()).output().unwrap());
    let line = typed.words.join(" ");
    // On a busy machine a run may be INVALID, or a check may fail.
    let is_carried_out = [0, 1, 3].contains(&done.code())
        // The stores of this test have no rows that differ only as a reader's do.
        || done.stderr().contains("nothing was compared");
    (!is_carried_out).then(|| format!("{}: {line}: {}", typed.place, done.stderr()))
}

#[test]
fn what_the_manual_says_to_type_can_be_carried_out() {
    const AT_ONCE: usize = 4;
    // For the threads of this test, too.
    measure_beside_others();
    let directory = tempfile::tempdir().unwrap();
    let stores = ["one.db", "other.db"].map(|name| directory.path().join(name));
    stores.iter().for_each(|store| small_store(store));
    let mut commands = manual::commands();
    commands.retain(|typed| !EXCUSED.iter().any(|(words, _)| is_excused(typed, words)));
    assert!(commands.len() > 20, "{} commands are carried out", commands.len());
    let (commands, stores) = (&commands, &stores);
    let share = |first: usize| commands.iter().skip(first).step_by(AT_ONCE);
    let failed: Vec<String> = thread::scope(|scope| {
        let all = (0..AT_ONCE).map(|first| {
            let tried = move || share(first).filter_map(|typed| failure(typed, stores)).collect();
            start_in(scope, "commands", tried).unwrap()
        });
        let all: Vec<ScopedJoinHandle<Vec<String>>> = all.collect();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_excuse_is_for_a_command_of_the_manual() {
    let commands = manual::commands();
    for (words, why) in EXCUSED {
        let is_used = commands.iter().any(|typed| is_excused(typed, words));
        assert!(is_used, "{words}: {why}");
    }
}
