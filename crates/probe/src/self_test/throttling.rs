//! A deadline thread uses up its budget, and the kernel holds it back: harmless to
//! everything else, and no setting of the machine changes.

use std::io;

use blame::Cause;
use plan::Asked;
use rt::{clock, sched, topology};
use units::{Nanos, Policy};

use super::LIMIT;
use super::disturbance::{Disturbance, Notes, Within};

pub(super) struct Throttling;

const BUDGET: Nanos = Nanos(500_000);
/// The kernel notices an overrun at the next tick, which comes every 1 ms to 4 ms; more
/// than as long again, it must be held back.
const RENEWED_EVERY: Nanos = Nanos(10_000_000);
/// A thread that is never held back gives up.
const LONGEST_SPIN_NS: u64 = 2 * RENEWED_EVERY.0;

impl Disturbance for Throttling {
    fn name(&self) -> &'static str {
        "throttling"
    }

    fn what(&self) -> &'static str {
        "the loop uses up the budget of its deadline policy"
    }

    fn cause(&self) -> &'static str {
        "throttling"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        matches!(found, Cause::Throttling)
    }

    fn is_real_time(&self) -> bool {
        true
    }

    /// The kernel refuses to pin a deadline thread.
    fn conditions(&self, usual: Asked) -> Asked {
        Asked {
            cpus: topology::usable(),
            policy: Policy::Deadline {
                runtime: BUDGET,
                period: RENEWED_EVERY,
            },
            ..usual
        }
    }

    fn within(&self, asked: &Asked) -> io::Result<Box<dyn Within>> {
        Ok(Box::new(Overrun {
            policy: asked.policy,
        }))
    }
}

struct Overrun {
    policy: Policy,
}

impl Overrun {
    /// Begins with a whole budget, so that what was overrun is not held back again later,
    /// when nothing is injected. Where that is refused, reading back finds it.
    fn renew(&self) {
        let _ = sched::set_policy(super::REAL_TIME).and_then(|()| sched::set_policy(self.policy));
    }
}

impl Within for Overrun {
    /// Spins until it has been held back once, which its own clock shows.
    fn disturb(&mut self, _: u64, notes: &mut Notes) {
        let from = clock::now();
        let mut last = from;
        while last < from + LONGEST_SPIN_NS {
            let now = clock::now();
            if now - last > LIMIT.0 {
                notes.injected.push(last, now);
                return self.renew();
            }
            last = now;
        }
    }
}
