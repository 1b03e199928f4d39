//! The table of checks. Within a state, earlier checks matter more. The order is from the ground
//! up, because each level limits everything above it: first what this process may do at all, then
//! host and hardware, the kernel, what else runs on the CPUs, the rest, and last what only runs
//! show.

mod check;
mod clock;
mod control_group;
mod cpus;
mod distribution;
mod isolation;
mod kernel;
mod memory;
mod platform;
mod rights;
mod runs;
mod scheduling;
mod services;

use plan::Machine;

pub(crate) use check::Check;
use check::{Change, GAPS, Sight, WAKEUP, not_told, unseen};

pub(crate) const CHECKS: &[&Check] = &[
    &scheduling::TURN,
    &rights::REAL_TIME_PRIORITY,
    &control_group::REAL_TIME_BUDGET,
    &control_group::CPU_BUDGET,
    &platform::HYPERVISOR,
    &clock::CLOCK_SOURCE,
    &cpus::GOVERNOR,
    &cpus::THERMAL_THROTTLING,
    &cpus::IDLE_STATES,
    &kernel::PREEMPTION_MODEL,
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
    &runs::PAGE_FAULTS,
    &runs::PRIORITY_INVERSION,
    &runs::LOAD_SENSITIVITY,
];

/// Returns the name of the check for the limit on real-time threads of a machine; `None` if a
/// real-time core runs beside Linux, where there is no limit.
pub fn limiter(machine: &Machine) -> Option<&'static str> {
    match machine {
        beside if beside.core_beside_linux().is_some() => None,
        new if scheduling::has_fair_server(&new.kernel_release) => {
            Some(scheduling::FAIR_SERVER.name)
        }
        _ => Some(scheduling::THROTTLING.name),
    }
}
