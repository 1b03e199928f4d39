//! The measuring process is stopped from outside.

use blame::Cause;
use plan::Asked;
use rt::{sched, topology};
use units::Policy;

use super::disturbance::{Disturbance, Outside};
use super::hog;

pub(super) struct Stop;

impl Disturbance for Stop {
    fn name(&self) -> &'static str {
        "stop"
    }

    fn what(&self) -> &'static str {
        "another process stops the measuring one (SIGSTOP, then SIGCONT)"
    }

    fn cause(&self) -> &'static str {
        "being stopped"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        matches!(found, Cause::Stopped)
    }

    fn outside(&self, _: &Asked) -> Option<Outside> {
        let policy = match sched::has_right_to_real_time() {
            true => hog::ABOVE,
            false => Policy::OTHER,
        };
        Some(Outside {
            policy,
            cpus: topology::usable(),
            stops: true,
        })
    }
}
