//! `steadfast certificate`, `verify` and `board`, as a user would type them.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Done, Folder, kill, start_unheard, wakeups};

fn copied(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn another_user_elsewhere_computes_the_same_page() {
    let folder = Folder::new();
    folder.store("own", wakeups(9e4));
    let mut command = folder.command("certificate own.db -o certified");
    command.env("USER", "lovelace").env("HOSTNAME", "analytical-engine");
    let printed = Done::of(command).succeeded().stdout();
    assert!(printed.contains("verify certified"), "{printed}");

    let other = Folder::new();
    copied(&folder.path("certified"), &other.path("copy"));
    let mut command = other.command("verify copy --json");
    command.env("USER", "babbage").env("HOSTNAME", "mill");
    command.env("HOME", "/nowhere").env("TZ", "JST-9");
    let found = Done::of(command).ended_with(3).document();
    assert_eq!(found["agrees"], true);
    assert_eq!(found["findings"][0]["kind"], "agrees_in_part");
    let left = fs::read_dir(other.path("copy")).unwrap().count();
    assert_eq!(left, 5, "nothing is created in the folder");
    folder.run("certificate own.db -o certified").refuses("is not empty");
    folder.run("certificate none.db -o new").refuses("none.db");
    assert!(!folder.path("new").exists());
}

#[test]
fn killed_readers_leave_no_file_in_a_certificate() {
    let folder = Folder::new();
    folder.store("own", wakeups(9e4));
    folder.run("certificate own.db -o certified").succeeded();
    for ms in [0, 5, 20, 50, 100] {
        let mut reader = start_unheard(folder.command("report certified/results.db --out page"));
        sleep(Duration::from_millis(ms));
        kill(&mut reader);
        assert_eq!(fs::read_dir(folder.path("certified")).unwrap().count(), 5, "after {ms} ms");
    }
    folder.run("verify certified").ended_with(3);
}

#[test]
fn a_changed_folder_disagrees_and_another_one_is_refused() {
    let folder = Folder::new();
    folder.store("own", wakeups(9e4));
    folder.run("certificate own.db -o certified").succeeded();
    let drawn = folder.read("certified/badge.svg");
    assert!(drawn.contains("no load") && drawn.contains("5 runs"), "{drawn}");
    folder.write("certified/badge.svg", drawn.replace("no load", "all load"));
    let verdict = folder.run("verify certified").ended_with(1).stdout();
    assert_eq!(verdict.lines().next(), Some("DOES NOT AGREE: badge.svg was changed."));
    folder.run("verify .").refuses("not a certificate");
    folder.run("verify own.db").refuses("not a directory");
}

#[test]
fn a_board_ranks_what_is_comparable_and_names_what_does_not_agree() {
    let folder = Folder::new();
    for (name, worst) in [("bench", 9e4), ("rack", 4e4), ("old", 2e4)] {
        folder.store(name, wakeups(worst));
        folder.run(&format!("certificate {name}.db -o {name}")).succeeded();
    }
    let verdict = "rack is better: ahead in 1 comparable test, and this is shown.";
    assert_eq!(folder.said("board bench rack").lines().next(), Some(verdict));
    folder.write("old/certificate.html", "the best");
    let told = folder.run("board bench rack old --verbose").ended_with(1).stdout();
    assert!(told.contains("old: certificate.html was changed."), "{told}");
    folder.run("board bench none").refuses("not a directory");
}
