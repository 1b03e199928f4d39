//! Broken limits are printed last, on standard error, whatever form the results have.

use crate::common::{Folder, wakeups};

#[test]
fn what_broke_is_printed_last_in_every_form() {
    let folder = Folder::new();
    folder.store("idle", wakeups(6e4));
    for form in ["", "--verbose", "--json", "--csv", "--out page"] {
        let line = format!("report idle.db {form} --fail-if wakeup.max>1us");
        let stderr = folder.run(&line).ended_with(1).stderr();
        let is_reported = |line: &str| line.starts_with("failed: wakeup.max>1us, found ");
        assert_eq!(stderr.lines().count(), 5, "{form}: {stderr}");
        assert!(stderr.lines().all(is_reported), "{form}: {stderr}");
    }
    let kept = folder.run("report idle.db --fail-if wakeup.max>1s").succeeded();
    assert_eq!(kept.stderr(), "");
}

#[test]
fn a_comparison_fails_where_a_row_is_shown_to_be_worse_and_no_other_way_round() {
    let folder = Folder::new();
    folder.store("idle", wakeups(6e4));
    folder.store("busy", wakeups(18e4));
    for form in ["", "--json", "--csv"] {
        let line = format!("compare idle.db busy.db --fail-if worse {form}");
        let stderr = folder.run(&line).ended_with(1).stderr();
        let reported = "failed: busy is worse than idle: wakeup ";
        assert!(stderr.lines().last().unwrap().starts_with(reported), "{stderr}");
    }
    folder.said("compare busy.db idle.db --fail-if worse");
    folder.run("compare idle.db busy.db --fail-if better").refuses("worse");
}
