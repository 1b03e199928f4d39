//! The measured thread has not the priority that was asked for.

use std::io;

use blame::Cause;
use plan::Asked;
use rt::sched;
use units::Policy;

use super::disturbance::{Disturbance, Outside, Within};

pub(super) struct PriorityNotApplied;

/// What the thread has instead.
const HAS: Policy = Policy::Fifo(10);
/// Below what was asked for, above what the thread has.
const BETWEEN: Policy = Policy::Fifo(50);

impl Disturbance for PriorityNotApplied {
    fn name(&self) -> &'static str {
        "priority"
    }

    fn what(&self) -> &'static str {
        "the loop has a lower priority than asked for, and a task between runs"
    }

    fn cause(&self) -> &'static str {
        "a priority that was not applied"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        matches!(found, Cause::PriorityNotApplied)
    }

    fn is_real_time(&self) -> bool {
        true
    }

    fn is_to_be_read_back(&self) -> bool {
        true
    }

    fn outside(&self, asked: &Asked) -> Option<Outside> {
        Some(Outside {
            policy: BETWEEN,
            cpus: asked.cpus.clone(),
            stops: false,
        })
    }

    fn within(&self, _: &Asked) -> io::Result<Box<dyn Within>> {
        Ok(Box::new(Lowered))
    }
}

struct Lowered;

impl Within for Lowered {
    fn begin(&mut self) {
        // Where it is refused, nothing is found, which is what is told.
        let _ = sched::set_policy(HAS);
    }
}
