//! `steadfast list --json` names everything that the manual describes, and nothing else.

use std::collections::BTreeSet;

use crate::common::{MODEST, run};
use serde_json::Value;

const MANUAL: &str = include_str!("../../../../docs/measurements.md");

fn list() -> Value {
    run("list --json").document()
}

fn names(list: &Value, group: &str) -> BTreeSet<String> {
    let entries = list[group].as_array().expect("a group is an array");
    let name = |entry: &Value| entry["name"].as_str().expect("a name").to_owned();
    entries.iter().map(name).collect()
}

fn measurements_and_views(list: &Value) -> BTreeSet<String> {
    &names(list, "measurements") | &names(list, "views")
}

/// Returns what the manual describes: the names before the source in its headings, and those in
/// tables of measurements.
fn described() -> BTreeSet<String> {
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let headings = MANUAL
        .lines()
        .filter(|line| line.starts_with('#'))
        .filter_map(|heading| heading.trim_start_matches('#').split_once(" ("))
        .flat_map(|(names, _)| names.trim_start().split(", "))
        .filter(is_name);
    let tables = MANUAL
        .split("\n\n")
        .filter(|block| block.starts_with("| measurement |"))
        .flat_map(|table| table.lines().skip(2))
        .filter_map(|line| line.split('`').nth(1));
    headings.chain(tables).map(str::to_owned).collect()
}

#[test]
fn the_manual_describes_what_is_listed_and_nothing_else() {
    let (described, listed) = (described(), measurements_and_views(&list()));
    let (not_described, not_listed) = (&listed - &described, &described - &listed);
    assert!(
        not_described.is_empty() && not_listed.is_empty(),
        "docs/measurements.md lacks a heading `NAME (SOURCE)` for each of {not_described:?}, and has \
         one for each of {not_listed:?}, which `steadfast list` lacks"
    );
}

#[test]
fn short_and_verbose_lists_name_the_same() {
    let list = list();
    for line in ["list", "list --verbose"] {
        let text = run(line).stdout();
        for name in &measurements_and_views(&list) | &names(&list, "loads") {
            assert!(text.contains(&format!("\n  {name} ")), "{line}: {name}");
        }
    }
}

#[test]
fn a_view_comes_from_measurements_that_are_listed() {
    let list = list();
    let measurements = names(&list, "measurements");
    for view in list["views"].as_array().unwrap() {
        let from = view["measurements"].as_array().unwrap();
        let known = |name: &Value| measurements.contains(name.as_str().unwrap());
        assert!(!from.is_empty() && from.iter().all(known), "{view}");
    }
}

#[test]
fn a_mode_switch_needs_two_kernels() {
    let run = run(&format!("run mode_switch {MODEST} --json")).succeeded().first_run();
    let why = &run["rows"][0]["unavailable"];
    assert!(why.as_str().unwrap().contains("Xenomai"), "{why}");
}
