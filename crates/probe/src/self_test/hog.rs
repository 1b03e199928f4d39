//! Disturbance: a task that the measured one has to wait for takes the measured CPU.

use plan::Asked;
use units::Policy;

use super::disturbance::{Disturbance, Outside};
use super::outside::is_hog;

/// Policy with a higher priority than every measured thread.
pub(super) const ABOVE: Policy = Policy::Fifo(90);

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

#[expect(clippy::unnecessary_wraps, reason = "most disturbances have no process")]
fn with_policy(asked: &Asked, policy: Policy) -> Option<Outside> {
    Some(Outside { policy, cpus: asked.cpus.clone(), stops: false })
}
