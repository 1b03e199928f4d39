use std::collections::BTreeSet;

use super::*;

/// The units that a name tells by its last words.
const ENDS: [(&str, Unit); 6] = [
    ("_ns", Unit::Nanoseconds),
    ("_uj", Unit::Microjoules),
    ("bytes", Unit::Bytes),
    ("_per_s", Unit::PerSecond),
    ("_per_minute", Unit::PerMinute),
    ("_percent", Unit::Percent),
];

/// Whether a name tells the unit of its fact, and no other. Bytes of one mass end in the mass.
fn agrees(fact: &Fact) -> bool {
    let name = fact.strip_suffix("_a_mass").unwrap_or(fact);
    let told = ENDS.iter().find(|(end, _)| name.ends_with(end));
    match told {
        Some((_, unit)) => *unit == fact.unit,
        None => ENDS.iter().all(|(_, unit)| *unit != fact.unit),
    }
}

#[test]
fn names_and_units_agree() {
    for fact in all() {
        assert!(agrees(fact), "{fact:?}");
    }
    let lying = |name, unit| Fact { name, unit, ..MISSED };
    assert!(!agrees(&lying("missed_ns", Unit::Count)));
    assert!(!agrees(&lying("missed", Unit::Nanoseconds)));
    assert!(!agrees(&lying("missed_percent", Unit::PerSecond)));
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
