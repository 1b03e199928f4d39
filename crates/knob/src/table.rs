//! The table of all knobs.

use crate::knob::Knob;
#[cfg(test)]
use crate::made_up;
use crate::{
    cache, cpus, flags, interrupts, kernel, memory, network, reference, service, sysctl, tasks,
};

/// The table of knobs, in the order in which they are listed.
pub static KNOBS: &[Knob] = &[
    reference::SHAM_KNOB,
    reference::KNOWN_KNOB,
    flags::POLICY,
    flags::MEMORY_LOCK,
    flags::IDLE_HOLD,
    flags::OTHERS,
    flags::TIMER,
    flags::START,
    flags::BARRIER,
    flags::SIBLING,
    cpus::IDLE_GOVERNOR,
    cpus::IDLE_STATES,
    cpus::RESUME_LATENCY,
    cpus::GUEST_HALT_POLL,
    cpus::KVM_HALT_POLL,
    cpus::GOVERNOR,
    cpus::MIN_FREQUENCY,
    cpus::ENERGY_PREFERENCE,
    cpus::ENERGY_BIAS,
    cpus::BOOST,
    cpus::NO_TURBO,
    cpus::UNCORE_FREQUENCY,
    cpus::SMT,
    interrupts::INTERRUPTS,
    interrupts::WORKQUEUES,
    sysctl::TIMER_MIGRATION,
    sysctl::STAT_INTERVAL,
    sysctl::NUMA_BALANCING,
    sysctl::SWAPPINESS,
    sysctl::COMPACTION,
    sysctl::DIRTY_RATIO,
    sysctl::DIRTY_BACKGROUND_RATIO,
    sysctl::DIRTY_WRITEBACK,
    sysctl::SOFT_WATCHDOG,
    sysctl::NMI_WATCHDOG,
    sysctl::WATCHDOG_CPUS,
    sysctl::HUNG_TASK,
    sysctl::RT_THROTTLING,
    kernel::FAIR_SERVER,
    kernel::MACHINE_CHECK_POLL,
    kernel::RCU_EXPEDITED,
    kernel::RCU_NORMAL,
    kernel::PREEMPTION,
    kernel::CLOCK_SOURCE,
    kernel::STATIC_KEYS,
    memory::THP,
    memory::THP_DEFRAG,
    memory::KHUGEPAGED_DEFRAG,
    memory::KSM,
    tasks::KSOFTIRQD,
    tasks::KTIMERS,
    tasks::RCUC,
    tasks::IRQ_THREADS,
    cache::CACHE,
    network::BUSY_POLL,
    network::THREADED_NAPI,
    service::SERVICE,
    reference::BOOT_KNOB,
    #[cfg(test)]
    made_up::AUTOGROUP,
];

/// Returns the knob with this name; `service:UNIT` names one knob for each unit.
pub fn find(name: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.bears(name))
}
