use std::collections::BTreeSet;

use super::*;

/// The units that the last part of a name implies.
const ENDS: [(&str, Unit); 6] = [
    ("_ns", Unit::Nanoseconds),
    ("_uj", Unit::Microjoules),
    ("bytes", Unit::Bytes),
    ("_per_s", Unit::PerSecond),
    ("_per_minute", Unit::PerMinute),
    ("_percent", Unit::Percent),
];

/// Whether a name implies the unit of its fact, and no other. For bytes per mass, the unit is
/// before the mass.
fn agrees(fact: &Fact) -> bool {
    let name = fact.strip_suffix("_a_mass").unwrap_or(fact);
    let implied = ENDS.iter().find(|(end, _)| name.ends_with(end));
    match implied {
        Some((_, unit)) => *unit == fact.unit,
        None => ENDS.iter().all(|(_, unit)| *unit != fact.unit),
    }
}

#[test]
fn names_and_units_agree() {
    for fact in all() {
        assert!(agrees(fact), "{fact:?}");
    }
    let wrong = |name, unit| Fact { name, unit, ..MISSED };
    assert!(!agrees(&wrong("missed_ns", Unit::Count)));
    assert!(!agrees(&wrong("missed", Unit::Nanoseconds)));
    assert!(!agrees(&wrong("missed_percent", Unit::PerSecond)));
}

#[test]
fn every_fact_is_declared_once_and_means_something() {
    let names: BTreeSet<&str> = all().map(|fact| fact.name).collect();
    assert_eq!(names.len(), all().count());
    for fact in all() {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(fact.name.chars().all(is_plain), "{}", fact.name);
        assert!(!fact.meaning.is_empty() && !fact.meaning.ends_with('.'), "{}", fact.name);
    }
}
