use std::collections::BTreeSet;

use super::*;

#[test]
fn every_name_is_one_word_and_every_knob_names_its_source() {
    let names: BTreeSet<&str> = KNOBS.iter().map(|knob| knob.name).collect();
    assert_eq!(names.len(), KNOBS.len());
    for knob in KNOBS.iter() {
        let is_sign = |sign: char| sign.is_ascii_lowercase() || sign == '_';
        assert!(knob.name.chars().all(is_sign), "{}", knob.name);
        assert!(!knob.source.is_empty() && !knob.summary.is_empty());
        assert!(knob.risk == Risk::Low || !knob.why.is_empty());
    }
}

#[test]
fn cores_with_unlike_limits_are_compared_each_with_its_own() {
    let root = tempfile::tempdir().unwrap();
    let policy = |number: u32, now: &str, max: &str| {
        let path = format!("sys/devices/system/cpu/cpufreq/policy{number}");
        let folder = root.path().join(path);
        std::fs::create_dir_all(&folder).unwrap();
        let files =
            [("scaling_min_freq", now), ("cpuinfo_max_freq", max), ("cpuinfo_min_freq", "400")];
        for (file, value) in files {
            std::fs::write(folder.join(file), format!("{value}\n")).unwrap();
        }
    };
    let to_try = || present(root.path(), "min_frequency").unwrap().to_try.unwrap();
    policy(0, "900", "900");
    policy(4, "400", "1800");
    assert_eq!(to_try(), "max");
    policy(4, "1800", "1800");
    assert_eq!(to_try(), "min");
}
