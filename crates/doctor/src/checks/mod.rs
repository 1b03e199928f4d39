//! The table of checks. In a state, what stands further up matters more.

mod clock;
mod control_group;
mod cpus;
mod isolation;
mod kernel;
mod memory;
mod platform;
mod rights;
mod scheduling;
mod services;

use crate::{Finding, Seen, State};

/// A check.
pub(crate) struct Check {
    /// Its name in JSON; the words of the text.
    pub(crate) name: &'static str,
    /// Looks at the machine.
    look: fn(&Seen) -> Sight,
    /// Why it matters, in a sentence or two.
    why: &'static str,
    /// Where that is written.
    source: &'static str,
    /// How to change it; see [`filled`].
    change: &'static str,
    /// The run to make before and after; see [`filled`].
    see: &'static str,
}

/// What a check sees: a state, and what was found.
pub(crate) type Sight = (State, String);

pub(crate) const CHECKS: &[&Check] = &[
    &rights::REAL_TIME_PRIORITY,
    &control_group::REAL_TIME_BUDGET,
    &control_group::CPU_BUDGET,
    &kernel::PREEMPTION_MODEL,
    &platform::HYPERVISOR,
    &clock::CLOCK_SOURCE,
    &cpus::GOVERNOR,
    &cpus::IDLE_STATES,
    &isolation::ISOLATION,
    &rights::MEMORY_LOCK,
    &rights::REAL_TIME_LIMIT,
    &isolation::INTERRUPT_AFFINITY,
    &isolation::TIMER_TICK,
    &isolation::RCU_CALLBACKS,
    &services::IRQBALANCE,
    &services::TUNED,
    &scheduling::THROTTLING,
    &scheduling::FAIR_SERVER,
    &cpus::SMT,
    &memory::SWAP,
    &memory::TRANSPARENT_HUGE_PAGES,
    &kernel::WATCHDOGS,
    &scheduling::TIMER_MIGRATION,
    &control_group::CPUS_ALLOWED,
    &kernel::MITIGATIONS,
];

impl Check {
    /// What it finds on a machine.
    pub(crate) fn made(&self, seen: &Seen) -> Finding {
        let (state, found) = (self.look)(seen);
        Finding {
            name: self.name,
            state,
            found,
            why: self.why,
            source: self.source,
            change: filled(self.change, seen),
            see: filled(self.see, seen),
        }
    }
}

/// Puts the CPUs into a command: `{cpus}` for the work, `{others}` for the rest.
fn filled(command: &str, seen: &Seen) -> String {
    let others = seen.others();
    let others = match others.is_empty() {
        true => "OTHER_CPUS".to_owned(),
        false => others.to_string(),
    };
    command
        .replace("{cpus}", &seen.cpus.to_string())
        .replace("{others}", &others)
}

/// A fact that the machine keeps to itself, and why where that is known.
fn not_told(why: &str) -> Sight {
    let found = match why {
        "" => "not told by this machine".to_owned(),
        why => format!("not told: {why}"),
    };
    (State::Unknown, found)
}

/// The run that shows how late a thread wakes beside other work.
const WAKEUP: &str = "steadfast run wakeup --cpus {cpus} --period 1ms --seconds 60 --load cpu";
/// The run that shows what takes a spinning thread's CPU away.
const GAPS: &str = "steadfast run platform_gap --cpus {cpus} --seconds 60";
