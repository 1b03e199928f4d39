//! `steadfast self-test`: known disturbances are detected, measured and named.

use crate::common::{Done, MODEST, as_ordinary_user, is_root, open_folder, real_time, run_with};
use record::{Answer, Disturbed};
use serde_json::Value;
use testing::skip;

fn self_test(data: &std::path::Path) -> Done {
    run_with("self-test --json", &[("XDG_DATA_HOME", data)])
}

fn json(done: &Done) -> Value {
    let test = done.document();
    testing_schema::Schema::named("self-test-1").assert(&test);
    test
}

fn of<'a>(test: &'a Value, name: &str) -> &'a Value {
    let all = test["disturbances"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap()
}

/// Returns whether every hog was seen, and as many were named as a certificate requires; `None` if
/// the host was too busy to tell.
fn hogs_are_named(test: &Value) -> Option<bool> {
    let hog: Disturbed = serde_json::from_value(of(test, "hog").clone()).unwrap();
    match Answer::derived_from(std::slice::from_ref(&hog)).0 {
        Answer::TooBusyToTell => None,
        Answer::Certified => Some(true),
        _ => Some(hog.injected > 0 && hog.seen == hog.injected && hog.not_traced.is_some()),
    }
}

/// Another run on the host, or of a neighbour, can break one attempt, but not all of them.
#[test]
fn hogs_are_seen_and_named_and_later_runs_refer_to_it() {
    let Some(()) = real_time() else { return };
    let data = tempfile::tempdir().unwrap();
    // None: the host was too busy, which is not kept for later runs.
    let attempt = || {
        let done = self_test(data.path());
        let test = json(&done);
        let code = match test["answer"].as_str().unwrap() {
            "certified" => 0,
            "not_certified" => 1,
            "too_busy_to_tell" => 3,
            other => panic!("{other}"),
        };
        assert_eq!(done.code(), code);
        assert_eq!(test["certified"] == true, code == 0);
        assert_eq!(test["certified"] == true, test["reasons"] == Value::Array(vec![]));
        if code == 3 {
            return None;
        }
        Some((hogs_are_named(&test)?, of(&test, "hog").to_string()))
    };
    let mut told = Vec::new();
    for _ in 0..3 {
        told.extend(attempt());
        if matches!(told.last(), Some((true, _))) {
            break;
        }
    }
    match told.last() {
        None => return skip("needs a host that is less busy"),
        Some((is_named, _)) => assert!(is_named, "{told:?}"),
    }
    let line = format!("run wakeup --seconds 0.2 {MODEST} --json");
    let later = run_with(&line, &[("XDG_DATA_HOME", data.path())]);
    let found = &later.first_run()["conditions"]["found"]["self_test"];
    assert!(found["at_unix_ns"].as_u64().unwrap() > 0, "{found}");
}

#[test]
fn without_rights_it_says_what_was_not_injected_and_certifies_nothing() {
    let folder = open_folder();
    let mut command = as_ordinary_user(&folder, "", "self-test --json");
    command.env("XDG_DATA_HOME", folder.path().join("data"));
    let done = Done::of(command);
    let test = json(&done);
    done.ended_with(1);
    assert_eq!(test["certified"], false);
    if is_root() {
        let why = of(&test, "hog")["not_injected"].as_str().unwrap();
        assert!(["setcap", "root", "--cap-add"].iter().any(|way| why.contains(way)), "{why}");
    }
    let late = of(&test, "late_timer");
    assert!(late["injected"].as_u64().unwrap() > 0, "{late}");
    assert!(late["not_traced"].is_string(), "{late}");
}
