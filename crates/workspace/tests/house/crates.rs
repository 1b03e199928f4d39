//! Which crate may use which.

use std::fs;
use std::path::Path;

/// Each crate, with the crates of the workspace that it may use, in alphabetical order.
pub(crate) const MAY_USE: &[(&str, &[&str])] = &[
    ("analysis", &["blame", "doctor", "plan", "stats", "units"]),
    ("audit", &["plan", "probe", "rt", "runner"]),
    ("blame", &["plan", "stats", "units"]),
    ("doctor", &["plan", "rt", "units"]),
    ("host", &["audit", "rt", "runner"]),
    ("knob", &["plan", "rt", "units"]),
    ("lab", &["rt", "stats"]),
    ("load", &["plan", "rt", "units"]),
    ("model", &["rt", "units"]),
    ("plan", &["stats", "units"]),
    ("probe", &["blame", "model", "plan", "rt", "stats", "tire", "units"]),
    ("report", &["analysis", "blame", "doctor", "plan", "stats", "units"]),
    ("rt", &["units"]),
    ("runner", &["blame", "doctor", "knob", "load", "plan", "probe", "rt", "units"]),
    ("same_features", &[]),
    ("stats", &[]),
    (
        "steadfast",
        &[
            "analysis", "audit", "doctor", "knob", "lab", "load", "model", "plan", "probe",
            "report", "rt", "runner", "stats", "store", "target", "units", "watch",
        ],
    ),
    ("store", &["plan", "rt", "stats", "units"]),
    ("target", &["knob", "lab", "model", "plan", "probe", "rt", "units"]),
    ("testing", &["plan", "stats", "units"]),
    ("testing_schema", &["testing"]),
    ("tire", &["rt", "units"]),
    ("units", &[]),
    ("watch", &["plan", "rt", "units"]),
    ("workspace", &[]),
];

pub(crate) fn all(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// Returns the crates of the workspace that a crate uses, except for tests, in alphabetical order.
pub(crate) fn uses(folder: &Path, name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(folder.join(name).join("Cargo.toml")).unwrap();
    let manifest = toml::de::DeTable::parse(&manifest).unwrap();
    let dependencies = manifest.get_ref().get("dependencies");
    let dependencies = dependencies.and_then(|table| table.get_ref().as_table());
    let used = |name: &String| dependencies.is_some_and(|table| table.contains_key(name.as_str()));
    all(folder).into_iter().filter(used).collect()
}
