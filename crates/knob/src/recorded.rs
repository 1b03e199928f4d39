//! The values of knobs that each run records, whether or not it tries them.

use std::collections::BTreeMap;
use std::path::Path;

use base::{Observed, counted};

use crate::knob::{Knob, Way};
use crate::reach;
use crate::table::KNOBS;

/// Knobs whose values other facts of a run have already, such as `clock_source`.
const ELSEWHERE: [&str; 10] = [
    "sham",
    "resume_latency",
    "governor",
    "smt",
    "rt_throttling",
    "fair_server",
    "preemption",
    "clock_source",
    "thp",
    "idle_states",
];

/// Returns the values of those knobs that are files of the machine below `root`, by name. A knob that
/// the machine does not have is left out.
pub fn recorded(root: &Path) -> impl Iterator<Item = (String, Observed<String>)> {
    let files = KNOBS.iter().filter(|knob| matches!(knob.way, Way::Files(..)));
    let recorded = files.filter(|knob| !ELSEWHERE.contains(&knob.name));
    recorded.filter_map(move |knob| Some((knob.name.to_owned(), value(knob, root)?)))
}

/// Returns the value of a knob, or each value and in how many places it is.
fn value(knob: &Knob, root: &Path) -> Option<Observed<String>> {
    let places = knob.places(root);
    let mut values: BTreeMap<String, usize> = BTreeMap::new();
    for value in places.iter().filter_map(|place| place.read().ok()) {
        *values.entry(value).or_default() += 1;
    }
    match values.len() {
        0 if places.is_empty() => Some(Observed::Hidden(reach::hidden(knob, root)?)),
        0 => Some(Observed::Hidden("it cannot be read".to_owned())),
        1 => Some(Observed::Seen(values.into_keys().collect())),
        _ => {
            let each = values.iter();
            let each =
                each.map(|(value, places)| format!("{value} in {}", counted(*places, "place")));
            Some(Observed::Seen(each.collect::<Vec<_>>().join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_values_of_files_are_recorded_with_their_places_and_what_is_missing_is_not() {
        let root = tempfile::TempDir::new().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("proc/sys/vm/swappiness", "60\n");
        for (interrupt, cpus) in [("1", "0"), ("2", "0-1"), ("3", "0-1")] {
            write(&format!("proc/irq/{interrupt}/smp_affinity_list"), cpus);
        }
        write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        let found: BTreeMap<_, _> = recorded(root.path()).collect();
        let seen = |value: &str| Observed::Seen(value.to_owned());
        assert_eq!(found["swappiness"], seen("60"));
        assert_eq!(found["interrupts"], seen("0 in 1 place, 0-1 in 2 places"));
        assert!(!found.contains_key("compaction") && !found.contains_key("clock_source"));
        let is_known = |name: &&&str| KNOBS.iter().any(|knob| knob.name == **name);
        assert_eq!(ELSEWHERE.iter().filter(is_known).count(), ELSEWHERE.len());
    }
}
