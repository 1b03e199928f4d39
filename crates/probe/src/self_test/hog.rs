//! A task that the measured one has to wait for takes the measured CPU.

use blame::Cause;
use plan::Asked;
use units::Policy;

use super::disturbance::{Disturbance, Outside};
use super::outside::is_hog;

pub(super) struct Hog {
    name: &'static str,
    what: &'static str,
    /// None: that of the measured thread.
    policy: Option<Policy>,
}

/// Above every measured thread.
pub(super) const ABOVE: Policy = Policy::Fifo(90);

pub(super) static HOG: Hog = Hog {
    name: "hog",
    what: "a task of higher priority takes the measured CPU",
    policy: Some(ABOVE),
};

pub(super) static SAME_CPU: Hog = Hog {
    name: "same_cpu",
    what: "a load of the same priority runs on the measured CPU",
    policy: None,
};

impl Disturbance for Hog {
    fn name(&self) -> &'static str {
        self.name
    }

    fn what(&self) -> &'static str {
        self.what
    }

    fn cause(&self) -> &'static str {
        "that task, by name"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        is_hog(found)
    }

    fn is_real_time(&self) -> bool {
        true
    }

    fn outside(&self, asked: &Asked) -> Option<Outside> {
        Some(Outside {
            policy: self.policy.unwrap_or(asked.policy),
            cpus: asked.cpus.clone(),
            stops: false,
        })
    }
}
