//! Disturbances by another process: it takes the measured CPU, or stops the measuring process.

use base::Policy;
use blame::Cause;
use record::Asked;
use rt::{sched, topology};

use super::disturbance::{Disturbance, Outside, Within};
use super::outside::is_hog;

/// Policy with a higher priority than every measured thread.
const ABOVE: Policy = Policy::Fifo(90);
/// The priority that a thread has instead of the requested one, and one between the two.
const LOWERED: Policy = Policy::Fifo(10);
const BETWEEN: Policy = Policy::Fifo(50);

pub(super) const HOG: Disturbance = Disturbance {
    name: "hog",
    what: "a task of higher priority takes the measured CPU",
    cause: "that task, by name",
    is_cause: is_hog,
    is_real_time: true,
    outside: |asked| with_policy(asked, ABOVE),
    ..Disturbance::NONE
};

pub(super) const SAME_CPU: Disturbance = Disturbance {
    name: "same_cpu",
    what: "a load of the same priority runs on the measured CPU",
    outside: |asked| with_policy(asked, asked.policy),
    ..HOG
};

pub(super) const STOP: Disturbance = Disturbance {
    name: "stop",
    what: "another process stops the measuring one (SIGSTOP, then SIGCONT)",
    cause: "being stopped",
    is_cause: |found| matches!(found, Cause::Stopped),
    outside: |_| {
        let policy = if sched::has_right_to_real_time() { ABOVE } else { Policy::OTHER };
        Some(Outside { policy, cpus: topology::usable(), stops: true })
    },
    ..Disturbance::NONE
};

pub(super) const PRIORITY_NOT_APPLIED: Disturbance = Disturbance {
    name: "priority",
    what: "the loop has a lower priority than requested, and a task with a priority \
           in between runs",
    cause: "a priority that was not applied",
    is_cause: |found| matches!(found, Cause::PriorityNotApplied),
    is_real_time: true,
    is_to_be_read_back: true,
    outside: |asked| with_policy(asked, BETWEEN),
    within: |_| Ok(Box::new(Lowered)),
    ..Disturbance::NONE
};

#[expect(clippy::unnecessary_wraps, reason = "most disturbances have no process")]
fn with_policy(asked: &Asked, policy: Policy) -> Option<Outside> {
    Some(Outside { policy, cpus: asked.cpus.clone(), stops: false })
}

struct Lowered;

impl Within for Lowered {
    fn begin(&mut self) {
        // If it is refused, no wrong priority is found, and that is reported.
        let _ = sched::set_policy(LOWERED);
    }
}
