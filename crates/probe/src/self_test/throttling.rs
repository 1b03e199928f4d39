//! A deadline thread uses up its budget, and the kernel holds it back: harmless to
//! everything else, and no setting of the machine changes.

use std::io;

use blame::Cause;
use plan::Asked;
use rt::{clock, topology};
use units::{Nanos, Policy};

use super::LIMIT;
use super::disturbance::{Disturbance, Notes, Within};

pub(super) struct Throttling;

/// The kernel notices an overrun at the next tick, mostly 1 ms to 4 ms later, and takes it
/// off the next budget: a smaller one would be used up before it began, and the thread held
/// back again when nothing is injected.
const BUDGET: Nanos = Nanos(6_000_000);
const RENEWED_EVERY: Nanos = Nanos(20_000_000);
/// Each event takes about as long as it takes to renew the budget.
const LENGTH: Nanos = Nanos(3_000_000_000);
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
            duration: LENGTH,
            ..usual
        }
    }

    fn within(&self, _: &Asked) -> io::Result<Box<dyn Within>> {
        Ok(Box::new(Overrun))
    }
}

struct Overrun;

impl Within for Overrun {
    /// Spins until it has been held back once, which its own clock shows.
    fn disturb(&mut self, _: u64, notes: &mut Notes) {
        let from = clock::now();
        let mut last = from;
        while last < from + LONGEST_SPIN_NS {
            let now = clock::now();
            if now - last > LIMIT.0 {
                notes.injected.push(last, now);
                return;
            }
            last = now;
        }
    }
}
