//! A store whose bytes were changed is read correctly or refused, never read wrongly.

use rt::clock::unix_time;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use record::{Outcome, Track};
use rusqlite::Connection;
use store::{Problem, SessionInfo, Store, StoreError};
use tempfile::TempDir;

use crate::sample_data::{begun, machine, outcome, place, plan, run_id, tracks};

const RUNS: usize = 4;
const SAMPLES: usize = 2000;
/// SQLite's default page size in bytes.
const PAGE: usize = 4096;

type Everything = Vec<(SessionInfo, Vec<Outcome>, Vec<Vec<Track>>)>;

fn everything(store: &Store) -> Result<Everything, StoreError> {
    let sessions = store.sessions()?.into_iter();
    sessions
        .map(|session| {
            let outcomes = store.outcomes(session.id)?;
            let samples = |outcome: &Outcome| Ok(store.run(&outcome.header.run_id)?.1);
            let samples = outcomes.iter().map(samples).collect::<Result<_, StoreError>>()?;
            Ok((session, outcomes, samples))
        })
        .collect()
}

fn build(path: &Path) -> Everything {
    let mut store = Store::open(path).unwrap();
    for title in ["first", "second"] {
        let session = store.begin_session(title, &plan(RUNS), &machine(), unix_time()).unwrap();
        for ordinal in 0..RUNS {
            let mut own = outcome(ordinal);
            own.header.run_id = format!("{title}-{}", run_id(ordinal));
            store.save(&session, ordinal, &own, &tracks(ordinal, SAMPLES)).unwrap();
        }
    }
    everything(&store).unwrap()
}

/// Returns the bytes of a whole store, and what is in it.
fn built() -> (Vec<u8>, Everything) {
    let (_folder, path) = place();
    let right = build(&path);
    (fs::read(&path).unwrap(), right)
}

/// Returns a store of which statements have changed records, and the error of reading it.
fn changed_by(statements: &[&str]) -> (TempDir, Store, StoreError) {
    let (folder, path) = place();
    build(&path);
    let by_hand = Connection::open(&path).unwrap();
    by_hand.pragma_update(None, "foreign_keys", false).unwrap();
    for statement in statements {
        assert!(by_hand.execute(statement, []).unwrap() > 0, "{statement}");
    }
    drop(by_hand);
    let store = Store::open_existing(&path).unwrap();
    let error = everything(&store).unwrap_err();
    (folder, store, error)
}

fn error_after(statement: &str) -> StoreError {
    changed_by(&[statement]).2
}

fn assert_right_or_refused(bytes: &[u8], right: &Everything) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("damaged.db");
    for open in [Store::open_existing, Store::open] {
        fs::write(&path, bytes).unwrap();
        let read = open(&path).and_then(|store| everything(&store));
        match read {
            Ok(read) => assert!(read == *right, "wrong data were read"),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
}

#[test]
fn overwritten_bytes_are_noticed_or_do_not_matter() {
    let (whole, right) = built();
    let strategy = (0..whole.len(), prop::collection::vec(any::<u8>(), 1..40));
    let config = ProptestConfig::with_cases(600);
    proptest!(config, |((place, garbage) in strategy)| {
        let mut bytes = whole.clone();
        let end = bytes.len().min(place + garbage.len());
        bytes[place..end].copy_from_slice(&garbage[..end - place]);
        assert_right_or_refused(&bytes, &right);
    });
}

#[test]
fn a_cut_file_is_noticed() {
    let (_folder, path) = place();
    let (whole, right) = built();
    proptest!(ProptestConfig::with_cases(60), |(length in 1..whole.len())| {
        assert_right_or_refused(&whole[..length], &right);
        fs::write(&path, &whole[..length.next_multiple_of(PAGE) - PAGE]).unwrap();
        prop_assert!(Store::open_existing(&path).is_err());
    });
}

#[test]
fn an_index_that_differs_from_its_table_is_noticed() {
    let (_folder, path) = place();
    let (mut bytes, _) = built();
    // The entry of the last run in the index over session and ordinal: length of the entry, length of
    // its header, three one-byte numbers, then session, ordinal and the row's number in the table.
    let (last, runs) = (RUNS as u8 - 1, 2 * RUNS as u8);
    let entry = [7, 4, 1, 1, 1, 2, last, runs];
    let found = bytes.windows(entry.len()).position(|part| part == entry);
    let ordinal = found.expect("SQLite's format is stable") + 6;
    bytes[ordinal] += 1;
    fs::write(&path, bytes).unwrap();
    let error = Store::open_existing(&path).unwrap_err();
    assert!(matches!(error.problem, Problem::Damaged(_)), "{error}");
}

#[test]
fn the_error_for_a_changed_value_names_its_run() {
    for change in [
        "rows SET histogram = x'1c849303'",
        "rows SET histogram = NULL",
        "rows SET facts = '{'",
        "rows SET due = due + 1",
        "rows SET label = 'cpu 2'",
        "runs SET spec = '{}'",
        "runs SET found = 'text'",
        "runs SET warnings = '[]'",
        "runs SET tool_version = '9'",
        "tracks SET attributes = '{}'",
        "tracks SET column_names = '[]'",
        "chunks SET length = 1 << 60",
        "chunks SET packed = x'00'",
    ] {
        let run = "second-run-2";
        let error = error_after(&format!("UPDATE {change} WHERE run_id = '{run}'"));
        let named = matches!(&error.problem, Problem::DamagedRun { run_id, .. } if run_id == run);
        assert!(named, "{change}: {error}");
    }
}

#[test]
fn the_error_for_a_missing_record_names_its_run() {
    for records in ["rows WHERE ordinal = 2", "tracks WHERE ordinal = 1", "chunks", "machines"] {
        let error = error_after(&format!("DELETE FROM {records}"));
        let named =
            matches!(error.problem, Problem::DamagedRun { .. } | Problem::DamagedSession { .. });
        assert!(named, "{records}: {error}");
    }
}

#[test]
fn the_error_counts_runs_that_were_removed_by_hand() {
    let of_run = ["chunks", "tracks", "rows", "runs"]
        .map(|part| format!("DELETE FROM {part} WHERE run_id = 'second-run-2'"));
    let (.., error) = changed_by(&of_run.each_ref().map(String::as_str));
    let error = error.to_string();
    assert!(error.contains("session 2") && error.contains("runs were removed"), "{error}");
}

#[test]
fn the_error_names_a_changed_session() {
    for change in ["title = 'other'", "plan = '[]'", "finished_unix_ns = 1", "planned = 3"] {
        let statement = format!("UPDATE sessions SET {change} WHERE id = 2");
        let (_folder, store, error) = changed_by(&[&statement]);
        assert!(error.to_string().contains("session 2"), "{change}: {error}");
        assert!(store.resumable("other", &plan(RUNS), &machine()).is_err());
    }
}

#[test]
fn pages_that_are_damaged_after_opening_are_noticed() {
    let (_folder, path, mut store, session) = begun(1);
    // More than SQLite keeps in memory, and hard to compress.
    let next = |number: &i64| Some(number.wrapping_mul(6_364_136_223_846_793_005) + 1);
    let noise = std::iter::successors(Some(1), next).take(1_000_000);
    let track = Track::new("noise").column("value", noise.collect());
    store.save(&session, 0, &outcome(0), &[track]).unwrap();
    drop(store);
    let store = Store::open_existing(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[PAGE..].fill(0xAA);
    fs::write(&path, bytes).unwrap();
    let noticed = store.run(&run_id(0)).unwrap_err();
    assert!(matches!(noticed.problem, Problem::Damaged(_)), "{noticed}");
}

/// Whatever bytes a store has, it is read rightly or refused in one line.
#[test]
fn odd_files_are_read_or_refused() {
    let (whole, _) = built();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.db");
    testing::try_corpus(&[whole], 60, |input| {
        fs::write(&path, input).unwrap();
        if let Err(error) = Store::open_existing(&path).and_then(|store| everything(&store)) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    });
}
