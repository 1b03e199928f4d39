//! Several processes use one store at the same time.

use rt::clock::unix_time;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use record::Outcome;
use rusqlite::Connection;
use store::{Problem, Store, StoreError};

use crate::other_process::{given_store, playing};
use crate::sample_data::{begun, machine, outcome, place, plan, run_id, tracks};

const PROCESSES: usize = 3;
const RUNS: usize = 40;

#[test]
fn processes_create_and_fill_one_store_together() {
    if let Some(path) = given_store() {
        return fill(&path);
    }
    let (_folder, path) = place();
    let test = "sharing::processes_create_and_fill_one_store_together";
    let children =
        [(); PROCESSES].map(|()| playing(test, &path).stdout(Stdio::null()).spawn().unwrap());
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = Store::open_existing(&path).unwrap();
    let sessions = store.sessions().unwrap();
    assert_eq!(sessions.len(), PROCESSES);
    for session in sessions {
        assert_eq!(store.outcomes(session.id).unwrap().len(), RUNS);
    }
}

fn fill(path: &Path) {
    let mut store = until_unlocked(|| Store::open(path));
    let session = until_unlocked(|| store.begin_session("t", &plan(RUNS), &machine(), unix_time()));
    for ordinal in 0..RUNS {
        let mut own: Outcome = outcome(ordinal);
        own.header.run_id = format!("{}-{ordinal}", std::process::id());
        let tracks = tracks(ordinal, 5000);
        until_unlocked(|| store.save(&session, ordinal, &own, &tracks));
        // Reads before it writes.
        until_unlocked(|| store.finish_session(&session));
    }
}

/// Repeats what a slow disk keeps locked for longer than the store waits.
fn until_unlocked<T>(mut act: impl FnMut() -> Result<T, StoreError>) -> T {
    let is_locked = |ended: &Result<T, StoreError>| matches!(ended, Err(e) if matches!(e.problem, Problem::Locked));
    (0..10).map(|_| act()).find(|ended| !is_locked(ended)).expect("unlocked at some time").unwrap()
}

#[test]
fn a_reader_does_not_wait_for_a_writer() {
    let (_folder, path, mut store, session) = begun(1);
    store.save(&session, 0, &outcome(0), &[]).unwrap();
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let reader = Store::open_existing(&path).unwrap();
    assert_eq!(reader.outcomes(session.id).unwrap(), [outcome(0)]);
}

#[test]
fn the_error_names_a_store_that_stays_locked() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.begin_session("t", &plan(1), &machine(), unix_time()).unwrap_err();
    assert!(matches!(refused.problem, Problem::Locked), "{refused}");
    other.execute_batch("ROLLBACK").unwrap();
    store.begin_session("t", &plan(1), &machine(), unix_time()).unwrap();
}

#[test]
fn a_file_that_is_removed_or_replaced_while_it_is_written_ends_it_and_nothing_is_lost() {
    for is_replaced in [false, true] {
        let (folder, path, mut store, session) = begun(2);
        store.save(&session, 0, &outcome(0), &[]).unwrap();
        fs::remove_file(&path).unwrap();
        if is_replaced {
            drop(Store::open(&folder.path().join("other.db")).unwrap());
            fs::rename(folder.path().join("other.db"), &path).unwrap();
        }
        let refused = store.save(&session, 1, &outcome(1), &[]).unwrap_err();
        assert_eq!(refused.to_string().lines().count(), 1, "{refused}");
        let Problem::Replaced { saved: Some(saved) } = refused.problem else {
            panic!("{refused}");
        };
        let rescued = Store::open_existing(Path::new(&saved)).unwrap();
        assert_eq!(rescued.all_run_ids().unwrap(), [run_id(0), run_id(1)]);
    }
}
