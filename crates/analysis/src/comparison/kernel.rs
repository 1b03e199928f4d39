//! What kind of kernel a system runs.

use crate::survey::System;
use plan::Machine;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel<'a> {
    /// Linux as distributions boot it.
    Stock,
    Linux,
    RealTime,
    /// A real-time core in addition to Linux: its name without the version.
    Core(&'a str),
}

impl<'a> Kernel<'a> {
    pub(super) fn of(machine: &'a Machine) -> Self {
        match (machine.core_beside_linux(), machine.preemption.as_str()) {
            (Some(core), _) => Self::Core(core.split(' ').next().unwrap_or(core)),
            (None, "rt") => Self::RealTime,
            (None, "voluntary") => Self::Stock,
            (None, _) => Self::Linux,
        }
    }
}

/// The reference: the first system with a stock kernel, else without a real-time kernel.
pub(super) fn stock<'s, 'a>(systems: &[&'s System<'a>]) -> Option<&'s System<'a>> {
    let first = |kernel| {
        let mut systems = systems.iter().copied();
        systems.find(|system| Kernel::of(system.machine) == kernel)
    };
    first(Kernel::Stock).or_else(|| first(Kernel::Linux))
}
