//! Which crate may use which.

use std::fs;
use std::path::Path;

/// Each crate, with the crates of the workspace that it may use, in alphabetical order.
pub(crate) const MAY_USE: &[(&str, &[&str])] = &[
    ("analysis", &["base", "blame", "doctor", "record", "stats"]),
    ("audit", &["measure", "record", "rt", "runner"]),
    ("base", &[]),
    ("bench", &["base", "blame", "record", "rt", "stats"]),
    ("blame", &["base", "record", "stats"]),
    ("doctor", &["base", "record", "rt"]),
    ("import", &["base", "record", "stats"]),
    ("knob", &["base", "record", "rt"]),
    ("lab", &["rt", "stats"]),
    ("load", &["base", "record", "rt"]),
    ("measure", &["base", "bench", "blame", "record", "rt", "simulate", "stats", "tire"]),
    ("model_file", &["base", "rt"]),
    ("model_host", &["audit", "rt", "runner"]),
    ("place", &["base", "knob", "lab", "measure", "model_file", "record", "rt"]),
    ("record", &["base", "stats"]),
    ("report", &["analysis", "base", "blame", "doctor", "record", "stats"]),
    ("rt", &["base"]),
    ("runner", &["base", "blame", "doctor", "knob", "load", "measure", "record", "rt"]),
    ("same_features", &[]),
    ("simulate", &["base", "bench", "blame", "model_file", "record", "rt", "stats", "tire"]),
    ("stats", &[]),
    (
        "steadfast",
        &[
            "analysis",
            "audit",
            "base",
            "doctor",
            "import",
            "knob",
            "lab",
            "load",
            "measure",
            "model_file",
            "place",
            "record",
            "report",
            "rt",
            "runner",
            "stats",
            "store",
            "watch",
        ],
    ),
    ("store", &["base", "record", "rt", "stats"]),
    ("testing", &["base", "record", "stats"]),
    ("testing_schema", &["testing"]),
    ("tire", &["base", "rt"]),
    ("watch", &["base", "record", "rt"]),
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
