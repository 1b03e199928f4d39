//! Disturbance: a deadline thread uses up its budget, and the kernel throttles it. This is harmless
//! to everything else and changes no setting of the machine.

use base::{Nanos, Policy};
use blame::Cause;
use record::Asked;
use rt::counters::ThreadUse;
use rt::{clock, topology};

use super::disturbance::{Disturbance, Notes, Within};
use super::timing::LIMIT;

/// The kernel notices an overrun at the next tick, mostly 1 ms to 4 ms later, and subtracts it from
/// the next budget. A smaller budget would be used up before it began, and the thread would be
/// throttled again when nothing is injected.
const BUDGET: Nanos = Nanos(6_000_000);
const RENEWED_EVERY: Nanos = Nanos(20_000_000);
/// Length of the run: each event takes about as long as it takes to renew the budget.
const LENGTH: Nanos = Nanos(3_000_000_000);
/// Limit after which a thread that is never throttled gives up.
const LONGEST_SPIN_NS: u64 = 2 * RENEWED_EVERY.0;

pub(super) const THROTTLING: Disturbance = Disturbance {
    name: "throttling",
    what: "the loop uses up the budget of its deadline policy",
    cause: "throttling",
    is_cause: |found| matches!(found, Cause::Throttling),
    is_real_time: true,
    // The kernel refuses to pin a deadline thread.
    conditions: |usual| Asked {
        cpus: topology::usable(),
        policy: Policy::Deadline { runtime: BUDGET, period: RENEWED_EVERY },
        duration: LENGTH,
        ..usual
    },
    within: |_| Ok(Box::new(Overrun)),
    ..Disturbance::NONE
};

struct Overrun;

impl Within for Overrun {
    /// Spins until the thread has been throttled once.
    fn disturb(&mut self, _: u64, notes: &mut Notes) {
        let mut last = Reading::now();
        let give_up = last.at + LONGEST_SPIN_NS;
        let mut is_stalled = false;
        while last.at < give_up {
            let now = Reading::now();
            let held_back = now.held_back_since(&last);
            if held_back > LIMIT.0 {
                let had = if is_stalled { 0 } else { held_back };
                notes.injected.push_had(last.at, now.at, had);
                return;
            }
            is_stalled |= now.at - last.at > LIMIT.0;
            last = now;
        }
    }
}

/// A spinning thread's reading of the clock and its own counters.
#[derive(Clone, Copy)]
struct Reading {
    at: u64,
    used: ThreadUse,
}

impl Reading {
    fn now() -> Self {
        Self { at: clock::now(), used: ThreadUse::now() }
    }

    /// How long the kernel kept the thread off the CPU; a paused machine causes no switch.
    fn held_back_since(&self, earlier: &Self) -> u64 {
        if self.used.involuntary_switches == earlier.used.involuntary_switches {
            return 0;
        }
        let used = self.used.cpu_time_ns - earlier.used.cpu_time_ns;
        (self.at - earlier.at).saturating_sub(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at: u64, cpu_time_ns: u64, involuntary_switches: u64) -> Reading {
        let used = ThreadUse {
            cpu_time_ns,
            faults: 0,
            voluntary_switches: 0,
            involuntary_switches,
            cpu: 0,
        };
        Reading { at, used }
    }

    #[test]
    fn a_gap_in_the_clock_is_an_injection_only_if_the_kernel_switched_the_thread_off() {
        let before = reading(1_000, 500, 3);
        // The host paused the machine; its kernel may or may not subtract that from the CPU time.
        assert_eq!(reading(9_000, 8_500, 3).held_back_since(&before), 0);
        assert_eq!(reading(9_000, 600, 3).held_back_since(&before), 0);
        assert_eq!(reading(9_000, 600, 4).held_back_since(&before), 7_900);
        // The machine was paused and the thread was throttled: only the latter is the injector's.
        assert_eq!(reading(9_000, 4_500, 4).held_back_since(&before), 4_000);
    }
}
