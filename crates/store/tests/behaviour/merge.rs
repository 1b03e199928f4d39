//! After a merge of stores, everything is there once, or nothing was changed.

use rt::clock::unix_time;
use std::fs;
use std::path::Path;

use record::{Outcome, Track};
use rusqlite::Connection;
use store::{Merged, Problem, Session, Store};
use tempfile::{TempDir, tempdir};

use crate::sample_data::{machine, outcome, plan, run_id, tracks};

const RUNS: usize = 3;

/// A run whose id contains the name of its store.
fn own(name: &str, ordinal: usize) -> Outcome {
    let mut own = outcome(ordinal);
    own.header.run_id = format!("{name}-{}", run_id(ordinal));
    own
}

fn save(store: &mut Store, session: &Session, name: &str, ordinals: &[usize]) {
    for ordinal in ordinals {
        let samples = tracks(*ordinal, 100);
        let outcome = own(name, *ordinal);
        store.save(session, *ordinal, &outcome, &samples).unwrap();
    }
}

/// Creates a store with one session, of which these runs are done.
fn build(directory: &TempDir, name: &str, ordinals: &[usize]) -> Store {
    let mut store = Store::open(&directory.path().join(format!("{name}.db"))).unwrap();
    let session = store.begin_session(name, &plan(RUNS), &machine(), unix_time()).unwrap();
    save(&mut store, &session, name, ordinals);
    if ordinals.len() == RUNS {
        store.finish_session(&session).unwrap();
    }
    store
}

/// The runs of a store by session: title, whether it is finished, outcomes and samples.
type Content = Vec<(String, bool, Vec<(Outcome, Vec<Track>)>)>;

fn content(store: &Store) -> Content {
    let sessions = store.sessions().unwrap().into_iter();
    let mut all: Content = sessions
        .map(|session| {
            let outcomes = store.outcomes(session.id).unwrap().into_iter();
            let runs = outcomes.map(|outcome| store.run(&outcome.header.run_id).unwrap());
            (session.title, session.finished_unix_ns.is_some(), runs.collect())
        })
        .collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn out(directory: &TempDir) -> Store {
    Store::open(&directory.path().join("out.db")).unwrap()
}

#[test]
fn sessions_runs_and_samples_are_copied_completely_and_once() {
    let directory = tempdir().unwrap();
    let sources = ["a", "b"].map(|name| build(&directory, name, &[0, 1, 2]));
    let mut out = out(&directory);
    let first = out.merge(&sources).unwrap();
    assert_eq!((first.added, first.known), (6, 0));
    let expected = sources.each_ref().map(content).concat();
    assert_eq!(content(&out), expected);
    out.verify().unwrap();
    // Merged again, everything is there already.
    assert_eq!(out.merge(&[]).unwrap(), Merged::default());
    let again = out.merge(&sources).unwrap();
    assert_eq!((again.added, again.known), (0, 6));
    assert_eq!(content(&out), expected);
}

#[test]
fn a_session_that_was_continued_is_one_session() {
    let directory = tempdir().unwrap();
    let mut source = build(&directory, "a", &[0]);
    let mut out = out(&directory);
    out.merge(std::slice::from_ref(&source)).unwrap();
    let session = source.resumable("a", &plan(RUNS), &machine()).unwrap().unwrap();
    save(&mut source, &session, "a", &[2, 1]);
    source.finish_session(&session).unwrap();
    let merged = out.merge(std::slice::from_ref(&source)).unwrap();
    assert_eq!((merged.added, merged.known), (2, 1));
    assert_eq!(content(&out), content(&source));
}

#[test]
fn a_session_that_was_continued_in_two_copies_loses_nothing() {
    let directory = tempdir().unwrap();
    drop(build(&directory, "a", &[0]));
    let place = |name: &str| directory.path().join(name);
    fs::copy(place("a.db"), place("copy.db")).unwrap();
    let sources = ["a.db", "copy.db"].map(|file| {
        let mut store = Store::open(&place(file)).unwrap();
        let session = store.resumable("a", &plan(RUNS), &machine()).unwrap().unwrap();
        save(&mut store, &session, file, &[1]);
        store
    });
    let mut out = out(&directory);
    let merged = out.merge(&sources).unwrap();
    assert_eq!((merged.added, merged.known), (3, 1));
    let runs: Vec<usize> = out.sessions().unwrap().iter().map(|s| s.done).collect();
    assert_eq!(runs, [2, 1]);
    assert_eq!(out.merge(&sources).unwrap().added, 0);
}

/// Changes a value without going through the store.
fn damage(path: &Path, statement: &str) {
    assert_eq!(Connection::open(path).unwrap().execute(statement, []).unwrap(), 1);
}

#[test]
fn a_damaged_source_is_refused_and_nothing_is_changed() {
    for statement in [
        "UPDATE rows SET due = due + 1 WHERE rowid = (SELECT max(rowid) FROM rows)",
        "UPDATE runs SET ordinal = 7 WHERE ordinal = 2",
        "UPDATE sessions SET title = 'mine'",
        "UPDATE chunks SET length = length - 1 WHERE rowid = 2",
    ] {
        let directory = tempdir().unwrap();
        let whole = build(&directory, "whole", &[0, 1, 2]);
        let damaged = build(&directory, "damaged", &[0, 1, 2]);
        let mut out = out(&directory);
        out.merge(&[build(&directory, "before", &[0])]).unwrap();
        let before = content(&out);
        damage(&directory.path().join("damaged.db"), statement);
        let refused = damaged.verify().unwrap_err();
        assert!(
            matches!(refused.problem, Problem::DamagedRun { .. } | Problem::DamagedSession { .. }),
            "{refused}"
        );
        let refused = out.merge(&[whole, damaged]).unwrap_err();
        assert!(refused.path.ends_with("damaged.db"), "{refused}");
        assert_eq!(content(&out), before, "{statement}");
    }
}
