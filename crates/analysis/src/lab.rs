//! Machines of the lab.

use plan::Machine;

/// Whether time is counted in instructions on this machine.
pub fn counts_instructions(machine: &Machine) -> bool {
    machine.lab.is_some()
}
