//! A more important task takes the measured CPU.

use blame::Cause;
use plan::Asked;
use units::Policy;

use super::disturbance::{Disturbance, Outside};
use super::outside::is_hog;

pub(super) struct Hog;

/// Above every measured thread.
pub(super) const ABOVE: Policy = Policy::Fifo(90);

impl Disturbance for Hog {
    fn name(&self) -> &'static str {
        "hog"
    }

    fn what(&self) -> &'static str {
        "a task of higher priority takes the measured CPU"
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
            policy: ABOVE,
            cpus: asked.cpus.clone(),
            stops: false,
        })
    }
}
