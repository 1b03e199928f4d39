//! The table of checks. Within a state, earlier checks matter more. The order is from the ground
//! up, because each level limits everything above it: first what this process may do at all, then
//! host and hardware, the kernel, what else runs on the CPUs, the rest, and last what only runs
//! show.

mod affinity;
mod check;
mod clock;
mod control_group;
mod cpus;
mod distribution;
mod idle;
mod isolation;
mod kernel;
mod limits;
mod memory;
mod ordinary;
mod platform;
mod real_time_budget;
mod rights;
mod runs;
mod scheduling;
mod services;

use record::Machine;

pub(crate) use check::Check;
use check::{Change, GAPS, Sight, WAKEUP, not_told, unseen};

pub(crate) const CHECKS: &[&Check] = &[
    &scheduling::TURN,
    &rights::REAL_TIME_PRIORITY,
    &real_time_budget::REAL_TIME_BUDGET,
    &control_group::CPU_BUDGET,
    &platform::HYPERVISOR,
    &clock::CLOCK_SOURCE,
    &cpus::GOVERNOR,
    &cpus::THERMAL_THROTTLING,
    &idle::IDLE_STATES,
    &kernel::PREEMPTION_MODEL,
    &isolation::ISOLATION,
    &rights::MEMORY_LOCK,
    &limits::REAL_TIME_LIMIT,
    &limits::CPU_TIME_LIMIT,
    &rights::DEADLINE_POLICY,
    &idle::IDLE_HOLD,
    &isolation::INTERRUPT_AFFINITY,
    &isolation::TIMER_TICK,
    &isolation::RCU_CALLBACKS,
    &services::IRQBALANCE,
    &services::TUNED,
    &scheduling::THROTTLING,
    &scheduling::FAIR_SERVER,
    &ordinary::SCHED_EXT,
    &control_group::GROUP_WEIGHT,
    &ordinary::TIMER_SLACK,
    &cpus::SMT,
    &memory::SWAP,
    &memory::TRANSPARENT_HUGE_PAGES,
    &kernel::WATCHDOGS,
    &scheduling::TIMER_MIGRATION,
    &affinity::CPUS_ALLOWED,
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
