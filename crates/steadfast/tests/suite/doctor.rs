//! Tests of `steadfast doctor` on whatever machine this is, as any user.

use crate::common::{Done, as_ordinary_user, run};
use serde_json::Value;
use tempfile::TempDir;

fn diagnosis(done: &Done) -> Value {
    done.succeeded();
    serde_json::from_str(&done.stdout()).unwrap()
}

fn found(diagnosis: &Value) -> usize {
    let findings = diagnosis["findings"].as_array().unwrap();
    for finding in findings {
        let states = ["warning", "advice", "ok", "unknown"];
        assert!(states.contains(&finding["state"].as_str().unwrap()), "{finding}");
    }
    findings.len()
}

#[test]
fn it_answers_first_and_keeps_to_80_columns_where_no_terminal_is() {
    let done = run("doctor --verbose");
    done.succeeded();
    let text = done.stdout();
    assert!(text.starts_with("This machine is "), "{text}");
    for line in text.lines() {
        let is_one_word = line.split_whitespace().count() == 1;
        // Text that is to be copied onto the kernel's command line stays on one line, however long.
        let is_to_copy = line.contains("isolcpus=") || line.contains("rcu_nocbs=");
        let is_short = line.chars().count() <= 80;
        assert!(is_short || is_one_word || is_to_copy, "{line}");
    }
}

#[test]
fn an_ordinary_user_gets_every_check_too() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, open).unwrap();
    let user = diagnosis(&Done::of(as_ordinary_user(path, "doctor --json")));
    assert_eq!(found(&user), found(&diagnosis(&run("doctor --json"))));
}
