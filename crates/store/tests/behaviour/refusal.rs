//! What is refused, with which message, and that nothing is changed.

use rt::clock::unix_time;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use store::{Store, StoreError};

use crate::sample_data::{machine, place, plan};

fn contents(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(directory).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// Checks that the error is one line with the file, the problem and the remedy.
fn assert_says(refused: Result<Store, StoreError>, path: &Path, reason: &str) {
    let line = refused.unwrap_err().to_string();
    assert!(line.starts_with(&format!("`{}` ", path.display())), "{line}");
    assert!(line.contains(reason), "{line}");
    assert!(line.contains(": "), "no remedy: {line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}

/// Checks that both ways to open refuse the file for this reason and change nothing.
fn assert_refused_and_untouched(path: &Path, reason: &str) {
    let directory = path.parent().unwrap();
    let before = contents(directory);
    assert_both_say(path, reason);
    assert!(contents(directory) == before, "files were changed");
}

fn assert_both_say(path: &Path, reason: &str) {
    assert_says(Store::open(path), path, reason);
    assert_says(Store::open_existing(path), path, reason);
}

#[test]
fn a_text_file_is_refused_and_not_changed() {
    let (_folder, path) = place();
    for length in [1, 15, 16, 100, 512, 5000, 100_000] {
        fs::write(&path, "my notes\n".repeat(length).split_at(length).0).unwrap();
        assert_refused_and_untouched(&path, "is not a results database");
    }
}

#[test]
fn a_database_of_another_program_is_refused() {
    for journal in ["delete", "wal"] {
        let (_folder, path) = place();
        let other = Connection::open(&path).unwrap();
        let create = format!("PRAGMA journal_mode = {journal}; CREATE TABLE places (url TEXT);");
        other.execute_batch(&create).unwrap();
        drop(other);
        assert_refused_and_untouched(&path, "is a database of another program");
    }
}

#[test]
fn side_files_of_another_killed_program_are_not_merged() {
    let directory = tempfile::tempdir().unwrap();
    let (live, path) = (directory.path().join("live"), directory.path().join("left"));
    let other = Connection::open(&live).unwrap();
    let create = "PRAGMA journal_mode = wal; CREATE TABLE places (url TEXT);";
    other.execute_batch(create).unwrap();
    let wal = directory.path().join("left-wal");
    fs::copy(&live, &path).unwrap();
    fs::copy(directory.path().join("live-wal"), &wal).unwrap();
    let both = || [&path, &wal].map(|file| fs::read(file).unwrap());
    let before = both();
    assert_both_say(&path, "of another program");
    assert!(both() == before, "files were changed");
}

#[test]
fn a_newer_schema_is_refused() {
    let (_folder, path) = place();
    drop(Store::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_refused_and_untouched(&path, "has schema version 99, but this program knows");
}

#[test]
fn places_that_cannot_be_a_store_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let (missing, no_directory) = (path("missing.db"), path("missing/r.db"));
    let in_a_file = path("file/r.db");
    fs::write(path("file"), "").unwrap();

    assert_says(Store::open(directory.path()), directory.path(), "is not an ordinary file");
    assert_both_say(Path::new("/dev/null"), "is not an ordinary file");
    let mkdir = format!("mkdir -p {}`", path("missing").display());
    assert_says(Store::open(&no_directory), &no_directory, &mkdir);
    assert_says(Store::open_existing(&missing), &missing, "does not exist");
    assert_says(Store::open(&in_a_file), &in_a_file, "cannot be created");
    assert_says(Store::open(Path::new("")), Path::new(""), "cannot be created");
    assert!(!missing.exists(), "reading created a file");
}

#[test]
fn an_empty_file_can_become_a_store_but_is_not_read_as_one() {
    let (_folder, path) = place();
    fs::write(&path, "").unwrap();
    assert_says(Store::open_existing(&path), &path, "is empty");
    Store::open(&path).unwrap().begin_session("t", &plan(1), &machine(), unix_time()).unwrap();
}

#[test]
fn a_store_that_is_read_is_not_written() {
    let (folder, path) = place();
    drop(Store::open(&path).unwrap());
    let before = contents(folder.path());
    let mut store = Store::open_existing(&path).unwrap();
    assert!(store.begin_session("t", &plan(1), &machine(), unix_time()).is_err());
    drop(store);
    assert!(contents(folder.path()) == before, "files were changed");
}

#[test]
fn whatever_no_version_creates_is_refused() {
    let additions = [
        ("CREATE VIEW endless AS SELECT 1", "has a view endless"),
        ("CREATE TRIGGER more AFTER INSERT ON runs BEGIN SELECT 1; END", "has a trigger more"),
        ("CREATE TABLE notes (text)", "has a table notes"),
        ("CREATE INDEX odd ON runs (abs(ordinal))", "has an index odd"),
        ("ALTER TABLE rows ADD COLUMN double INTEGER AS (due + due)", "has a table rows"),
        ("DROP TABLE chunks", "it has no chunks"),
        ("DROP TABLE chunks; CREATE VIEW chunks AS SELECT 1 AS run_id", "has a view chunks"),
    ];
    for (addition, reason) in additions {
        let (_folder, path) = place();
        drop(Store::open(&path).unwrap());
        Connection::open(&path).unwrap().execute_batch(addition).unwrap();
        assert_refused_and_untouched(&path, reason);
    }
    let (_folder, path) = place();
    drop(Store::open(&path).unwrap());
    Connection::open(&path).unwrap().execute_batch("ANALYZE").unwrap();
    Store::open(&path).unwrap();
}

#[test]
fn a_file_that_is_mostly_holes_is_refused() {
    let (_folder, path) = place();
    drop(Store::open(&path).unwrap());
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(1 << 40).unwrap();
    assert_both_say(&path, "has holes of 1023 GiB");
}

#[test]
fn a_store_beside_a_list_of_hashes_is_read_as_it_is_and_not_written() {
    let (folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    store.begin_session("t", &plan(1), &machine(), unix_time()).unwrap();
    drop(store);
    fs::write(folder.path().join("SHA256SUMS"), "").unwrap();
    let before = contents(folder.path());
    assert_says(Store::open(&path), &path, "is part of a certificate");
    let reader = Store::open_existing(&path).unwrap();
    assert_eq!(reader.sessions().unwrap().len(), 1);
    assert!(contents(folder.path()) == before, "a reader left files");
    fs::write(path.with_extension("db-wal"), "more").unwrap();
    assert_says(Store::open_existing(&path), &path, "in this file alone: remove");
}
