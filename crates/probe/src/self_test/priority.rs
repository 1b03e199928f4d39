//! The measured thread has not the priority that was asked for.

use blame::Cause;
use rt::sched;
use units::Policy;

use super::disturbance::{Disturbance, Outside, Within};

/// What the thread has instead.
const HAS: Policy = Policy::Fifo(10);
/// Below what was asked for, above what the thread has.
const BETWEEN: Policy = Policy::Fifo(50);

pub(super) const PRIORITY_NOT_APPLIED: Disturbance = Disturbance {
    name: "priority",
    what: "the loop has a lower priority than asked for, and a task between runs",
    cause: "a priority that was not applied",
    is_cause: |found| matches!(found, Cause::PriorityNotApplied),
    is_real_time: true,
    is_to_be_read_back: true,
    outside: |asked| Some(Outside { policy: BETWEEN, cpus: asked.cpus.clone(), stops: false }),
    within: |_| Ok(Box::new(Lowered)),
    ..Disturbance::NONE
};

struct Lowered;

impl Within for Lowered {
    fn begin(&mut self) {
        // Where it is refused, nothing is found, which is what is told.
        let _ = sched::set_policy(HAS);
    }
}
