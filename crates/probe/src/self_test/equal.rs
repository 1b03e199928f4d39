//! A load on the measured CPU that is as important as what is measured.

use blame::Cause;
use plan::Asked;

use super::disturbance::{Disturbance, Outside};
use super::outside::is_hog;

pub(super) struct Equal;

impl Disturbance for Equal {
    fn name(&self) -> &'static str {
        "same_cpu"
    }

    fn what(&self) -> &'static str {
        "a load of the same priority runs on the measured CPU"
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
            policy: asked.policy,
            cpus: asked.cpus.clone(),
            stops: false,
        })
    }
}
