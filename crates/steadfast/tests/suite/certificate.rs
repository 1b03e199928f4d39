//! `steadfast certificate`, `verify` and `board`, as a user would type them.

use std::fs;
use std::path::Path;

use crate::common::stores::{done, store, wakeups};
use crate::common::{Done, steadfast};
use tempfile::tempdir;

/// Copies a folder of files.
fn copied(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn another_user_elsewhere_computes_the_same_page() {
    let folder = tempdir().unwrap();
    let place = folder.path();
    store(place, "own", wakeups(9e4));
    let mut command = steadfast("certificate own.db -o certified");
    command.current_dir(place).env("USER", "lovelace").env("HOSTNAME", "analytical-engine");
    let made = Done::of(command);
    made.succeeded();
    assert!(made.stdout().contains("verify certified"), "{}", made.stdout());

    let other = tempdir().unwrap();
    copied(&place.join("certified"), &other.path().join("copy"));
    let mut command = steadfast("verify copy --json");
    command.current_dir(other.path());
    command.envs([
        ("USER", "babbage"),
        ("HOME", "/nowhere"),
        ("HOSTNAME", "mill"),
        ("TZ", "JST-9"),
    ]);
    let verified = Done::of(command);
    verified.ended_with(3);
    let found = verified.document();
    assert_eq!(found["agrees"], true);
    assert_eq!(found["findings"][0]["kind"], "agrees_in_part");
    let left = fs::read_dir(other.path().join("copy")).unwrap().count();
    assert_eq!(left, 5, "nothing is created in the folder");
    done(place, "certificate own.db -o certified").refuses("is not empty");
    done(place, "certificate none.db -o new").refuses("none.db");
    assert!(!place.join("new").exists());
}

#[test]
fn a_changed_folder_disagrees_and_another_one_is_refused() {
    let folder = tempdir().unwrap();
    let place = folder.path();
    store(place, "own", wakeups(9e4));
    done(place, "certificate own.db -o certified").succeeded();
    let badge = place.join("certified/badge.svg");
    let drawn = fs::read_to_string(&badge).unwrap();
    assert!(drawn.contains("no load") && drawn.contains("5 runs"), "{drawn}");
    fs::write(&badge, drawn.replace("no load", "all load")).unwrap();
    let changed = done(place, "verify certified");
    changed.ended_with(1);
    let verdict = "DOES NOT AGREE: badge.svg was changed.";
    assert_eq!(changed.stdout().lines().next(), Some(verdict));
    done(place, "verify .").refuses("not a certificate");
    done(place, "verify own.db").refuses("not a directory");
}

#[test]
fn a_board_ranks_what_is_comparable_and_names_what_does_not_agree() {
    let folder = tempdir().unwrap();
    let place = folder.path();
    for (name, worst) in [("bench", 9e4), ("rack", 4e4), ("old", 2e4)] {
        store(place, name, wakeups(worst));
        done(place, &format!("certificate {name}.db -o {name}")).succeeded();
    }
    let ranked = done(place, "board bench rack");
    ranked.succeeded();
    let verdict = "rack is better: ahead in 1 comparable test, and this is shown.";
    assert_eq!(ranked.stdout().lines().next(), Some(verdict));
    fs::write(place.join("old/certificate.html"), "the best").unwrap();
    let with_changed = done(place, "board bench rack old --verbose");
    with_changed.ended_with(1);
    let told = with_changed.stdout();
    assert!(told.contains("old: certificate.html was changed."), "{told}");
    done(place, "board bench none").refuses("not a directory");
}
