use std::collections::BTreeSet;

use super::*;

#[test]
fn every_name_is_one_word_and_every_knob_names_its_source() {
    let names: BTreeSet<&str> = KNOBS.iter().map(|knob| knob.name).collect();
    assert_eq!(names.len(), KNOBS.len());
    for knob in KNOBS {
        let is_sign = |sign: char| sign.is_ascii_lowercase() || sign == '_';
        assert!(knob.name.chars().all(is_sign), "{}", knob.name);
        assert!(!knob.source.is_empty() && !knob.summary.is_empty());
        assert!(knob.risk == Risk::Low || !knob.why.is_empty());
    }
}
