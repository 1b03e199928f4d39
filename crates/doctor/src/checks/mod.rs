//! The checks, in a table for each subject. Within a state, earlier checks matter more; see [`Level`].

mod affinity;
mod check;
mod clock;
mod control_group;
mod core_kind;
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
mod thermal;

use std::sync::LazyLock;

use record::Machine;

pub(crate) use check::Check;
use check::{Change, GAPS, Level, Sight, WAKEUP, not_told, unseen};
pub use thermal::Slowing;

const SUBJECTS: &[&[Check]] = &[
    affinity::CHECKS,
    clock::CHECKS,
    control_group::CHECKS,
    core_kind::CHECKS,
    cpus::CHECKS,
    idle::CHECKS,
    isolation::CHECKS,
    kernel::CHECKS,
    limits::CHECKS,
    memory::CHECKS,
    ordinary::CHECKS,
    platform::CHECKS,
    real_time_budget::CHECKS,
    rights::CHECKS,
    runs::CHECKS,
    scheduling::CHECKS,
    services::CHECKS,
    thermal::CHECKS,
];

/// All checks, the one that matters most first.
pub(crate) static CHECKS: LazyLock<Vec<&Check>> = LazyLock::new(|| {
    let mut all: Vec<&Check> = SUBJECTS.iter().copied().flatten().collect();
    all.sort_by_key(|check| check.level);
    all
});

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
