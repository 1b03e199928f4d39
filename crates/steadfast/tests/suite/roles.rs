//! The internal roles of the program refuse everyone else who starts them.

use std::path::Path;
use std::process::Command;

use crate::common::{Done, is_root, run, run_with};
use rt::role::STARTED_BY;
use testing::skip;

/// Every role, with words that it would accept.
const ROLES: &[&str] = &[
    "role-runner",
    "role-about",
    "role-remote mark",
    "role-frame 1 none 1",
    "role-program true",
    "role-load cpu 0 3 1000000",
    "role-hog hog other 0 1ms 2ms 1",
    "role-guest",
    "role-knobs",
    "role-knob-guard",
];

#[test]
fn no_role_does_anything_when_a_user_types_it_or_inherits_from_a_run() {
    for role in ROLES {
        let done = run(role).refuses("internal role");
        assert_eq!(done.stdout(), "", "{role}");
        // Nor what inherits from a run that did not start it.
        run_with(role, &[(STARTED_BY, Path::new("1"))]).refuses("internal role");
    }
}

/// A container has a first process too.
#[test]
fn the_first_process_of_a_container_is_not_a_machine_of_the_lab() {
    if !is_root() {
        return skip("needs the right to make a container (root)");
    }
    for more in [&["--mount-proc"][..], &[]] {
        let mut container = Command::new("unshare");
        container.args(["-m", "-p", "-f"]).args(more);
        container.args([env!("CARGO_BIN_EXE_steadfast"), "role-guest"]);
        Done::of(container).refuses("first process of a machine of the lab");
    }
}
