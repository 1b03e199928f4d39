//! Disturbance: the measured thread does not have the requested priority.

use blame::Cause;
use rt::sched;
use units::Policy;

use super::disturbance::{Disturbance, Outside, Within};

/// The priority that the thread has instead.
const HAS: Policy = Policy::Fifo(10);
/// A priority below the requested one and above that of the thread.
const BETWEEN: Policy = Policy::Fifo(50);

pub(super) const PRIORITY_NOT_APPLIED: Disturbance = Disturbance {
    name: "priority",
    what: "the loop has a lower priority than requested, and a task with a priority \
           in between runs",
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
        // If it is refused, no wrong priority is found, and that is reported.
        let _ = sched::set_policy(HAS);
    }
}
