//! What the program refuses: its internal roles to everyone else who starts them, and files behind
//! another user's link.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, lchown, symlink};
use std::path::Path;

use crate::common::{Done, MODEST, PROGRAM, by_other, mounting, run, run_with, run_words};
use rt::role::STARTED_BY;
use testing::needs;

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
    let Some(()) = mounting() else { return };
    for more in [&["--mount-proc"][..], &[]] {
        let mut container = by_other("unshare");
        container.args(["-m", "-p", "-f"]).args(more);
        container.args([PROGRAM, "role-guest"]);
        Done::of(container).refuses("first process of a machine of the lab");
    }
}

#[test]
fn no_file_is_written_through_another_users_link() {
    const STRANGER: u32 = 65534;
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    fs::create_dir(path("precious")).unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o1777)).unwrap();
    for (link, to) in [("file", "precious/file"), ("directory", "precious")] {
        symlink(path(to), path(link)).unwrap();
        let may = lchown(path(link), Some(STRANGER), None).is_ok();
        let Some(()) = needs(may, "the right to give a file away (root)") else { return };
    }
    symlink(path("precious/own"), path("own")).unwrap();
    let measured = format!("run clock_overhead --seconds 0.05 {MODEST}");
    let refused = |words: &str, name: &str| {
        let done = run_words(&format!("{measured} {words}"), [path(name)]);
        let done = done.refuses("symbolic link of another user");
        assert_eq!(done.stdout(), "", "it is refused before anything is measured");
    };
    for flag in ["--store", "--junit", "--csv-histograms"] {
        refused(flag, "file");
        refused(flag, "directory/file");
    }
    let directory = path("directory").display().to_string();
    for line in ["quick --out", "frontier --out", "campaign tel-messages --out"] {
        run(&format!("{line} {directory}")).refuses("symbolic link of another user");
    }
    assert_eq!(path("precious").read_dir().unwrap().count(), 0);
    run_words(&format!("{measured} --junit"), [path("own")]).succeeded();
    assert!(path("precious/own").is_file() && path("own").is_symlink());
}
