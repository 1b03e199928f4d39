//! The plan of docs/add-plan.md.

use super::{Due, Known, Plan};
use record::{Outcome, RunSpec};

/// A plan that repeats a run until `wanted` runs were valid, but makes at most three times as many.
struct UntilValid {
    spec: RunSpec,
    wanted: usize,
    valid: usize,
    taken: usize,
}

impl Plan for UntilValid {
    fn next(&mut self, known: &Known) -> Option<Due> {
        // Only the new outcomes are counted.
        let new = known.since(self.taken);
        self.valid += new.filter(|outcome| Outcome::is_valid(outcome)).count();
        self.taken = known.len();
        let may_be = !self.is_done() && self.taken < 3 * self.wanted;
        may_be.then(|| Due { ordinal: known.next_ordinal(), spec: self.spec.clone() })
    }

    fn is_done(&self) -> bool {
        self.valid >= self.wanted
    }
}

#[test]
fn it_ends_when_enough_runs_are_valid() {
    let mut plan = UntilValid { spec: super::specs().remove(0), wanted: 2, valid: 0, taken: 0 };
    let mut known = Known::default();
    while let Some(due) = plan.next(&known) {
        let mut outcome = super::fake::outcome(&due.spec, due.ordinal, 1);
        if due.ordinal == 1 {
            outcome.warnings = vec![super::invalid()];
        }
        known.add(Some(due.ordinal), outcome);
    }
    assert!(plan.is_done() && known.len() == 3);
}
