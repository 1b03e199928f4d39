//! A bare number is refused wherever a unit is meant: 150 may be microseconds or seconds.

use std::collections::BTreeSet;

use clap::error::ErrorKind;
use measure::MEASUREMENTS;

use super::*;
use crate::options::request::RunRequest;
use crate::options::{Condition, keys};

/// Options and keys that take a unit or a bare number, each with the unit of the number.
const BARE: &[(&str, &str)] = &[
    ("seconds", "seconds, as its name says"),
    ("resolution", "a number of masses, instances or hertz, as those of the answer"),
];

/// Returns the refusal of a bare number if a value with a unit is taken and a word is not; `None`
/// if there is no such unit.
fn refusal_of_bare(read: impl Fn(&str) -> Result<(), String>) -> Option<Result<(), String>> {
    let is_taken = |unit: &&str| read(&format!("15{unit}")).is_ok();
    let has_unit = ["us", "Hz", "%"].iter().any(is_taken);
    (has_unit && read("word").is_err()).then(|| read("15"))
}

/// Reads the value of an option, whatever else the line lacks.
fn read_option(path: &str, option: &str, value: &str) -> Result<(), String> {
    let line = format!("steadfast {path} --{option}={value}");
    match Cli::try_parse_from(line.split(' ')) {
        Err(error) if matches!(error.kind(), ErrorKind::ValueValidation) => Err(error.to_string()),
        _ => Ok(()),
    }
}

fn of_options() -> Vec<(String, Result<(), String>)> {
    let root = Cli::command();
    let mut found = Vec::new();
    for path in paths(&root) {
        let known = path.split(' ').fold(&root, |known, name| {
            known.find_subcommand(name).expect("the path is that of a command")
        });
        for option in known.get_arguments().filter_map(|arg| arg.get_long()) {
            let bare = refusal_of_bare(|value| read_option(&path, option, value));
            found.extend(bare.map(|bare| (option.to_owned(), bare)));
        }
    }
    found
}

fn of_parameters() -> Vec<(String, Result<(), String>)> {
    let all = MEASUREMENTS.iter().flat_map(|measurement| measurement.parameters());
    let bare = |parameter: &record::Parameter| {
        let read = |text: &str| parameter.parse(text).map(drop).map_err(|why| why.to_string());
        Some((parameter.name.to_owned(), refusal_of_bare(read)?))
    };
    all.filter_map(bare).collect()
}

fn of_plan_keys() -> Vec<(String, Result<(), String>)> {
    let bare = |key: &Condition| {
        let request = || RunRequest::named("wakeup").expect("it is known");
        Some((key.name.to_owned(), refusal_of_bare(|text| request().put(key, text))?))
    };
    keys().filter_map(bare).collect()
}

#[test]
fn a_bare_number_is_refused_wherever_a_unit_is_meant() {
    let all = [of_options(), of_parameters(), of_plan_keys()].concat();
    let named = |name: &str| all.iter().any(|(found, _)| found == name);
    for name in ["max", "for", "budget", "held-for", "threshold", "period", "rate", "fill"] {
        assert!(named(name), "--{name} takes a value with a unit");
    }
    let bare: BTreeSet<&str> =
        all.iter().filter(|(_, bare)| bare.is_ok()).map(|(name, _)| name.as_str()).collect();
    assert_eq!(bare, BARE.iter().map(|(name, _)| *name).collect());
}

#[test]
fn the_refusal_of_a_bare_time_says_what_to_write() {
    let why = read_option("check", "max", "150").unwrap_err();
    assert!(why.contains("`150` has no unit; write 150us, 150ms or 150s"), "{why}");
}
