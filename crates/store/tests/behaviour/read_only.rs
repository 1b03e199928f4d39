//! Reading and writing without the rights to do so.

use record::Outcome;
use rt::clock::unix_time;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use store::{Store, StoreError};
use tempfile::TempDir;

use crate::other_process::{given_store, play};
use crate::sample_data::{machine, outcome, plan};

/// A user that owns no files on a normal system.
const NOBODY: u32 = 65534;

/// A name with characters that are special in a URI.
const NAME: &str = "50% of #1?.db";

/// Creates a directory with a store of one run, without side files.
fn store_of_one_run() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(NAME);
    save_one(&path);
    (directory, path)
}

/// A run that a store of any version can have.
fn saved() -> Outcome {
    let mut saved = outcome(0);
    let latencies = saved.rows.iter_mut().filter_map(|row| row.latency.as_mut());
    latencies.for_each(|latency| latency.dependence = None);
    saved
}

fn save_one(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    let session = store.begin_session("t", &plan(1), &machine(), unix_time()).unwrap();
    store.save(&session, 0, &saved(), &[]).unwrap();
    store
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The part of the process without special rights in each test.
#[test]
fn a_given_store_is_read_and_written() {
    if let Some(path) = given_store() {
        print_results(&path);
    }
}

/// Reads and writes the store in a process without special rights; returns the two results.
fn without_rights(path: &Path) -> (String, String) {
    let place = tempfile::tempdir().unwrap();
    allow(place.path(), 0o755);
    let program = place.path().join("program");
    // Copied by a separate process: a fork in another test while this process writes would keep the
    // file busy.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.is_ok_and(|copied| copied.success()), "the copy fits");
    let mut command = Command::new(&program);
    play(&mut command, "read_only::a_given_store_is_read_and_written", path);
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.current_dir("/").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let after = |word| printed.lines().find_map(|line| line.strip_prefix(word)).unwrap().to_owned();
    (after("reading: "), after("writing: "))
}

/// Prints how reading and writing went, in the process without special rights.
fn print_results(path: &Path) {
    let read = Store::open_existing(path).and_then(|store| {
        let last = store.sessions()?.pop().expect("a session was saved");
        store.outcomes(last.id)
    });
    let words = |result: Result<bool, StoreError>| {
        result.map_or_else(|error| error.to_string(), |right| right.to_string())
    };
    println!("\nreading: {}", words(read.map(|outcomes| outcomes == [saved()])));
    println!("writing: {}", words(Store::open(path).map(|_| true)));
}

#[test]
fn a_read_only_directory_is_read() {
    let (directory, path) = store_of_one_run();
    for file_mode in [0o444, 0o666] {
        allow(&path, file_mode);
        allow(directory.path(), 0o555);
        let (reading, writing) = without_rights(&path);
        allow(directory.path(), 0o755);
        assert_eq!(reading, "true");
        assert!(writing.contains("cannot be written"), "{writing}");
    }
}

#[test]
fn a_read_only_file_is_read() {
    let (directory, path) = store_of_one_run();
    allow(&path, 0o444);
    allow(directory.path(), 0o777);
    let (reading, writing) = without_rights(&path);
    assert_eq!(reading, "true");
    // A side file of another user would lock the owner out.
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    assert!(writing.contains("cannot be written by this user"), "{writing}");
}

#[test]
fn an_older_read_only_file_is_read() {
    let (directory, path) = store_of_one_run();
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "DROP TABLE saved_runs; ALTER TABLE rows DROP COLUMN dependence; PRAGMA user_version = 5;",
    )
    .unwrap();
    drop(file);
    let before = fs::read(&path).unwrap();
    allow(&path, 0o444);
    allow(directory.path(), 0o777);
    let (reading, _) = without_rights(&path);
    assert_eq!(reading, "true");
    assert!(fs::read(&path).unwrap() == before, "the file was changed");
}

#[test]
fn runs_that_cannot_be_merged_are_not_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let live = directory.path().join("live.db");
    let store = save_one(&live);
    // A copy of what a killed process leaves behind.
    let path = directory.path().join(NAME);
    fs::copy(&live, &path).unwrap();
    fs::copy(directory.path().join("live.db-wal"), directory.path().join(format!("{NAME}-wal")))
        .unwrap();
    drop(store);
    allow(directory.path(), 0o555);
    let (reading, _) = without_rights(&path);
    allow(directory.path(), 0o755);
    assert!(reading.contains("cannot be merged here"), "{reading}");
    // With side files that can be written, the runs are merged.
    let store = Store::open_existing(&path).unwrap();
    let session = store.sessions().unwrap().pop().unwrap();
    assert_eq!(store.outcomes(session.id).unwrap(), [saved()]);
}

#[test]
fn the_error_names_what_may_not_be_read_or_created() {
    let (directory, path) = store_of_one_run();
    allow(&path, 0o000);
    allow(directory.path(), 0o555);
    let (reading, writing) = without_rights(&path);
    assert!(reading.contains("cannot be read, Permission denied"), "{reading}");
    assert!(writing.contains("cannot be read, Permission denied"), "{writing}");
    let new = directory.path().join("new.db");
    let (_, writing) = without_rights(&new);
    assert!(writing.contains("cannot be created, Permission denied"), "{writing}");
    allow(directory.path(), 0o755);
}
