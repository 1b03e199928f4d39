//! Sessions: begun, resumed, finished.

use record::{Heading, Warning, Words};
use rt::clock::unix_time;
use store::{Problem, Session, SessionId, Store};
use testing::refuses;

use crate::sample_data::{begun, machine, outcome, plan, run_id};

#[test]
fn an_unfinished_session_is_resumed_where_it_stopped() {
    let (_folder, _, mut store, session) = begun(4);
    for ordinal in [0, 2] {
        store.save(&session, ordinal, &outcome(ordinal), &[]).unwrap();
    }
    let resumed = store.resumable("t", &plan(4), &machine()).unwrap();
    let expected = Session { id: session.id, done: [0, 2].into(), invalid: [2].into() };
    assert_eq!(resumed, Some(expected));
}

#[test]
fn only_the_same_title_plan_and_machine_are_resumed() {
    let (_folder, _, store, _) = begun(4);
    let mut other_machine = machine();
    other_machine.kernel_release = "6.12-rt".into();
    let resumable = |title, length, machine| store.resumable(title, &plan(length), &machine);
    assert!(resumable("t", 4, machine()).unwrap().is_some());
    assert_eq!(resumable("other", 4, machine()).unwrap(), None);
    assert_eq!(resumable("t", 3, machine()).unwrap(), None);
    assert_eq!(resumable("t", 4, other_machine).unwrap(), None);
}

#[test]
fn a_finished_session_is_not_resumed() {
    let (_folder, _, mut store, older) = begun(1);
    let newer = store.begin_session("t", &plan(1), &machine(), unix_time()).unwrap();
    let resumable = |store: &Store| {
        let session = store.resumable("t", &plan(1), &machine()).unwrap();
        session.map(|session| session.id)
    };
    assert_eq!(resumable(&store), Some(newer.id));
    store.finish_session(&newer).unwrap();
    assert_eq!(resumable(&store), Some(older.id));
    store.finish_session(&older).unwrap();
    assert_eq!(resumable(&store), None);
}

#[test]
fn the_list_shows_how_far_each_session_got() {
    let (_folder, _, mut store, first) = begun(2);
    store.save(&first, 0, &outcome(0), &[]).unwrap();
    store.finish_session(&first).unwrap();
    store.begin_session("two", &plan(3), &machine(), 7).unwrap();
    let listed = store.sessions().unwrap();
    let progress: Vec<_> = listed.iter().map(|s| (s.title.as_str(), s.done, s.planned)).collect();
    assert_eq!(progress, [("t", 1, 2), ("two", 0, 3)]);
    assert!(listed[0].finished_unix_ns >= Some(listed[0].started_unix_ns));
    assert_eq!((listed[1].started_unix_ns, listed[1].finished_unix_ns), (7, None));
    assert_eq!(*listed[1].machine, machine());
}

#[test]
fn the_title_and_note_of_a_session_stay_until_they_are_set_again() {
    let (_folder, _, mut store, session) = begun(2);
    let words = |title: Option<&str>, note: Option<&str>| Heading {
        title: title.map(|text| Words::read(text).unwrap()),
        note: note.map(|text| Words::read(text).unwrap()),
    };
    let heading = |store: &Store| store.sessions().unwrap().remove(0).heading;
    assert_eq!(heading(&store), Heading::default());
    store.save(&session, 0, &outcome(0), &[]).unwrap();
    let told = words(Some("before"), Some("as it came"));
    store.head_session(&session, &told).unwrap();
    assert_eq!(heading(&store), told);
    store.head_session(&session, &words(None, Some("tuned"))).unwrap();
    store.finish_session(&session).unwrap();
    assert_eq!(heading(&store), words(Some("before"), Some("tuned")));
    assert_eq!(store.outcomes(session.id).unwrap(), [outcome(0)]);
    store.verify().unwrap();
}

#[test]
fn a_place_in_the_plan_is_taken_once() {
    let (_folder, _, mut store, session) = begun(2);
    store.save(&session, 0, &outcome(0), &[]).unwrap();
    refuses(store.save(&session, 0, &outcome(1), &[]), "already contains run 1 of session 1");
    assert_eq!(store.outcomes(session.id).unwrap(), [outcome(0)]);
}

#[test]
fn an_invalid_run_is_replaced_by_its_repetition() {
    let (_folder, _, mut store, session) = begun(2);
    let mut spoilt = outcome(1);
    spoilt.warnings = vec![Warning::LoadIdle { load: "cpu".into() }];
    spoilt.header.run_id = run_id(7);
    store.save(&session, 0, &outcome(0), &[]).unwrap();
    store.save(&session, 1, &spoilt, &[]).unwrap();
    store.finish_session(&session).unwrap();
    let repeatable = |store: &Store| store.repeatable("t", &plan(2), &machine()).unwrap();
    let again = repeatable(&store).unwrap();
    assert_eq!(again.id, session.id);
    assert_eq!((again.done, again.invalid), ([0, 1].into(), [1].into()));
    assert!(store.save(&session, 0, &outcome(2), &[]).is_err());
    store.save(&session, 1, &outcome(1), &[]).unwrap();
    assert_eq!(repeatable(&store), None);
    let kept = store.outcomes(session.id).unwrap();
    assert_eq!(kept, [outcome(0), outcome(1)]);
    refuses(store.run(&run_id(7)), "contains no run");
    store.verify().unwrap();
}

#[test]
fn the_error_names_a_missing_session_or_run() {
    let (_folder, _, mut store, _) = begun(1);
    let nowhere = Session { id: SessionId(7), done: [].into(), invalid: [].into() };
    let no_session = |problem| matches!(problem, Problem::NoSession(SessionId(7)));
    let saved = store.save(&nowhere, 0, &outcome(0), &[]);
    assert!(no_session(saved.unwrap_err().problem));
    assert!(no_session(store.finish_session(&nowhere).unwrap_err().problem));
    assert!(no_session(store.outcomes(nowhere.id).unwrap_err().problem));
    refuses(store.run(&run_id(0)), "contains no run run-0");
}

#[test]
fn a_removed_session_is_gone_completely_and_the_others_stay() {
    let (_folder, _, mut store, first) = begun(2);
    let second = store.begin_session("two", &plan(2), &machine(), unix_time()).unwrap();
    store.save(&first, 0, &outcome(0), &[]).unwrap();
    store.save(&second, 0, &outcome(1), &[]).unwrap();
    store.remove_session(first.id).unwrap();
    let left = store.sessions().unwrap();
    assert_eq!(left.iter().map(|one| one.id).collect::<Vec<_>>(), [second.id]);
    store.verify().unwrap();
    assert_eq!(store.outcomes(second.id).unwrap(), [outcome(1)]);
    let again = store.remove_session(first.id).unwrap_err();
    assert!(matches!(again.problem, Problem::NoSession(id) if id == first.id));
    // A run of the removed session can be saved again.
    store.save(&second, 1, &outcome(0), &[]).unwrap();
}
