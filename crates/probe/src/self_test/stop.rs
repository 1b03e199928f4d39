//! Disturbance: the measuring process is stopped from outside.

use blame::Cause;
use rt::{sched, topology};
use units::Policy;

use super::disturbance::{Disturbance, Outside};
use super::hog;

pub(super) const STOP: Disturbance = Disturbance {
    name: "stop",
    what: "another process stops the measuring one (SIGSTOP, then SIGCONT)",
    cause: "being stopped",
    is_cause: |found| matches!(found, Cause::Stopped),
    outside: |_| {
        let policy = if sched::has_right_to_real_time() { hog::ABOVE } else { Policy::OTHER };
        Some(Outside { policy, cpus: topology::usable(), stops: true })
    },
    ..Disturbance::NONE
};
