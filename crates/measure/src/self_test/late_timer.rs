//! Disturbance: the timer is set to a later time than the due time.

use blame::Cause;

use super::disturbance::{Disturbance, Notes, Within};
use super::timing::LENGTH_NS;

pub(super) const LATE_TIMER: Disturbance = Disturbance {
    name: "late_timer",
    what: "the loop sets its timer later than it is due",
    cause: "a timer that was set late",
    is_cause: |found| matches!(found, Cause::LateTimer),
    within: |_| Ok(Box::new(Late)),
    ..Disturbance::NONE
};

struct Late;

impl Within for Late {
    fn wake_at(&mut self, due: u64) -> u64 {
        due + LENGTH_NS
    }

    fn disturb(&mut self, due: u64, notes: &mut Notes) {
        notes.injected.push(due, due + LENGTH_NS);
    }
}
