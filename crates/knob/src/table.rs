//! The table of all knobs.

use std::sync::LazyLock;

use crate::knob::Knob;
#[cfg(test)]
use crate::made_up;
use crate::{
    cache, cpus, flags, interrupts, kernel, memory, network, reference, service, sysctl, tasks,
};

/// The knobs of each subject, in the order in which they are listed.
const SUBJECTS: &[&[Knob]] = &[
    &[reference::SHAM_KNOB, reference::KNOWN_KNOB],
    flags::KNOBS,
    cpus::KNOBS,
    interrupts::KNOBS,
    sysctl::KNOBS,
    kernel::KNOBS,
    &[kernel::STATIC_KEYS],
    memory::KNOBS,
    tasks::KNOBS,
    &[cache::CACHE],
    network::KNOBS,
    &[service::SERVICE, reference::BOOT_KNOB],
    #[cfg(test)]
    made_up::KNOBS,
];

pub static KNOBS: LazyLock<Vec<Knob>> = LazyLock::new(|| SUBJECTS.concat());

/// Returns the knob with this name; `service:UNIT` names one knob for each unit.
pub fn find(name: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.bears(name))
}
