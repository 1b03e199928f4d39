//! The table of all knobs.

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

/// The table of all knobs.
pub static KNOBS: &[Knob] = &joined::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        count += SUBJECTS[subject].len();
        subject += 1;
    }
    count
}

const fn joined<const COUNT: usize>() -> [Knob; COUNT] {
    let mut all = [Knob::PLAIN; COUNT];
    let (mut filled, mut subject, mut at) = (0, 0, 0);
    while filled < COUNT {
        if at < SUBJECTS[subject].len() {
            all[filled] = SUBJECTS[subject][at];
            filled += 1;
            at += 1;
        } else {
            subject += 1;
            at = 0;
        }
    }
    all
}

/// Returns the knob with this name; `service:UNIT` names one knob for each unit.
pub fn find(name: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.bears(name))
}
