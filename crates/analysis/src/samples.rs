//! Hashes of samples in the lab: equal setups must give equal ones.

use std::collections::BTreeMap;

use record::{LabFound, Outcome};

use crate::finding::{AboutMachine, Finding};

/// Reports each run of the lab whose samples differ from those of an equal setup.
pub fn conflicts<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Finding> {
    let mut made: BTreeMap<(&str, u32), Vec<(&Outcome, &LabFound)>> = BTreeMap::new();
    for outcome in outcomes {
        let Some(found) = &outcome.found.lab else { continue };
        let same = made.entry((&found.setup_sha256, found.place)).or_default();
        let is_known = |(_, known): &(_, &LabFound)| known.samples_sha256 == found.samples_sha256;
        if !same.iter().any(is_known) {
            same.push((outcome, found));
        }
    }
    made.into_values().filter(|runs| runs.len() > 1).map(|runs| conflict(&runs)).collect()
}

fn conflict(runs: &[(&Outcome, &LabFound)]) -> Finding {
    let (outcome, found) = runs[0];
    let machine = outcome.header.machine.lab.as_ref();
    let samples = runs.iter().map(|(_, found)| short(&found.samples_sha256).to_owned());
    Finding::Machine(AboutMachine::SamplesDiffer {
        kernel: machine.map_or("the lab", |machine| machine.kernel.as_str()).to_owned(),
        run: outcome.header.spec.title(),
        place: u64::from(found.place) + 1,
        setup: short(&found.setup_sha256).to_owned(),
        samples: samples.collect(),
    })
}

pub fn contradict(a: &Outcome, b: &Outcome) -> bool {
    !conflicts([a, b]).is_empty()
}

/// Shortens a hash to a part that still distinguishes it.
pub fn short(hash: &str) -> &str {
    hash.get(..16).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, wakeup};
    use base::Policy;

    fn run(setup: &str, place: u32, samples: &str) -> Outcome {
        let mut run = in_lab("rt", "rt", wakeup(Policy::Fifo(80), None, 8e3, 6e4));
        run.found.lab =
            Some(LabFound { setup_sha256: setup.into(), place, samples_sha256: samples.into() });
        run
    }

    #[test]
    fn only_equal_setups_and_places_must_agree() {
        let a = run("s", 0, "a");
        for b in [run("s", 0, "a"), run("t", 0, "b"), run("s", 1, "b")] {
            assert!(!contradict(&a, &b), "{:?}", b.found.lab);
        }
        assert!(contradict(&a, &run("s", 0, "b")));
        let local = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        assert!(!contradict(&local, &local.clone()));
    }

    #[test]
    fn a_conflict_names_the_run_and_every_hash_once() {
        let runs = [run("s", 3, "a"), run("s", 3, "b"), run("s", 3, "a")];
        let conflicts = conflicts(&runs);
        assert_eq!(conflicts.len(), 1);
        let Finding::Machine(AboutMachine::SamplesDiffer { place: 4, setup, samples, .. }) =
            &conflicts[0]
        else {
            panic!("{conflicts:?}")
        };
        assert_eq!(
            (setup.as_str(), samples.as_slice()),
            ("s", &["a".to_owned(), "b".to_owned()][..])
        );
    }
}
