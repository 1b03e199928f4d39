//! What was saved is read back unchanged.

use rt::clock::unix_time;
use std::path::Path;
use std::process::Stdio;

use base::shown;
use proptest::prelude::*;
use record::{Heading, Outcome, Row, Track};
use stats::{Distribution, Sample};
use store::Store;

use crate::other_process::{given_store, playing};
use crate::sample_data::{begun, machine, outcome, place, plan, run_id, tracks};

/// Saves the outcomes as one session and reads them after opening the store again.
fn saved_and_read(path: &Path, outcomes: &[Outcome]) -> Vec<Outcome> {
    let mut store = Store::open(path).unwrap();
    let plan = plan(outcomes.len());
    let session = store.begin_session("title", &plan, &machine(), unix_time()).unwrap();
    for (ordinal, outcome) in outcomes.iter().enumerate() {
        store.save(&session, ordinal, outcome, &[]).unwrap();
    }
    drop(store);
    let store = Store::open_existing(path).unwrap();
    store.outcomes(session.id).unwrap()
}

#[test]
fn outcomes_are_read_back_unchanged() {
    let (_folder, path) = place();
    let outcomes: Vec<_> = (0..5).map(outcome).collect();
    assert_eq!(saved_and_read(&path, &outcomes), outcomes);
    let without_samples = Store::open_existing(&path).unwrap().run(&run_id(0)).unwrap();
    assert_eq!(without_samples, (outcome(0), Vec::<Track>::new()));
}

#[test]
fn outcomes_are_read_in_plan_order_whatever_the_order_of_saving() {
    let (_folder, _, mut store, session) = begun(3);
    for ordinal in [2, 0, 1] {
        store.save(&session, ordinal, &outcome(ordinal), &[]).unwrap();
    }
    assert_eq!(store.outcomes(session.id).unwrap(), [0, 1, 2].map(outcome));
}

#[test]
fn samples_are_read_back_unchanged_across_chunks() {
    let (_folder, _, mut store, session) = begun(3);
    // Below, at and above the length of a chunk.
    for (ordinal, length) in [(0, 1000), (1, 1 << 16), (2, (1 << 17) + 1)] {
        let tracks = tracks(ordinal, length);
        store.save(&session, ordinal, &outcome(ordinal), &tracks).unwrap();
        assert_eq!(store.run(&run_id(ordinal)).unwrap().1, tracks);
    }
}

#[test]
fn names_that_are_special_to_sqlite_are_files() {
    if let Some(path) = given_store() {
        saved_and_read(&path, &[outcome(0)]);
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:r.db?mode=memory"] {
        let test = "round_trip::names_that_are_special_to_sqlite_are_files";
        let mut child = playing(test, Path::new(name));
        let child = child.current_dir(directory.path()).stdout(Stdio::null());
        assert!(child.status().unwrap().success());
        let store = Store::open_existing(&directory.path().join(name)).unwrap();
        assert_eq!(store.sessions().unwrap().len(), 1, "{name}");
    }
}

/// Any text as a row contains it, with control characters escaped.
fn any_text() -> impl Strategy<Value = String> {
    ".*".prop_map(|text| shown(&text).into_owned())
}

fn any_row() -> impl Strategy<Value = Row> {
    let values = prop::collection::vec(any::<i32>(), 0..50);
    let figures = prop::collection::btree_map(any_text(), any_figure(), 0..4);
    (any_text(), any::<[u64; 5]>(), values, figures).prop_map(|(label, numbers, values, facts)| {
        let [due, executed, skipped, index, at_ns] = numbers;
        let sample = |value: &i32| Sample { value_ns: i64::from(*value) * 1000, index, at_ns };
        let latency = Distribution::of(values.iter().map(sample));
        Row { due, executed, skipped, facts, ..Row::of(label, latency) }
    })
}

fn any_figure() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        any::<f64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any_text().prop_map(Into::into),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_row_is_read_back_unchanged(rows in prop::collection::vec(any_row(), 0..4)) {
        let (_folder, path) = place();
        let any = Outcome { rows, ..outcome(0) };
        let read = saved_and_read(&path, std::slice::from_ref(&any));
        prop_assert_eq!(read, vec![any]);
    }
}

#[test]
fn an_older_store_is_migrated_and_reads_the_same() {
    const WITHOUT_COUNT: &str = "DROP TABLE saved_runs;";
    const WITHOUT_HEADING: &str =
        "ALTER TABLE sessions DROP COLUMN heading; ALTER TABLE sessions DROP COLUMN note;";
    const WITHOUT_DEPENDENCE: &str = "ALTER TABLE rows DROP COLUMN dependence;";
    const WITHOUT_PARTS: &str =
        "ALTER TABLE rows DROP COLUMN parts; ALTER TABLE rows DROP COLUMN worst;";
    let mut before = outcome(0);
    for latency in before.rows.iter_mut().filter_map(|row| row.latency.as_mut()) {
        latency.tail = None;
        latency.parts.clear();
        latency.dependence = None;
    }
    for (version, without) in [
        (1, [WITHOUT_DEPENDENCE, WITHOUT_COUNT, WITHOUT_HEADING, WITHOUT_PARTS]),
        (4, [WITHOUT_DEPENDENCE, WITHOUT_COUNT, WITHOUT_HEADING, ""]),
        (5, [WITHOUT_DEPENDENCE, WITHOUT_COUNT, "", ""]),
        (6, [WITHOUT_DEPENDENCE, "", "", ""]),
    ] {
        let (_folder, path) = place();
        let saved = saved_and_read(&path, std::slice::from_ref(&before));
        assert_eq!(saved, [before.clone()]);
        let file = rusqlite::Connection::open(&path).unwrap();
        file.execute_batch(&without.concat()).unwrap();
        file.pragma_update(None, "user_version", version).unwrap();
        drop(file);
        let store = Store::open_existing(&path).unwrap();
        let session = store.sessions().unwrap().pop().unwrap();
        assert_eq!(session.heading, Heading::default());
        assert_eq!(store.outcomes(session.id).unwrap(), saved);
    }
}
