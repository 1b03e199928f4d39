//! The clock of the lab, which counts instructions.

use record::Machine;

use crate::finding::{AboutComparison, Finding, InstructionSet};
use crate::lists::{groups, sorted};
pub use crate::machine::counts_instructions;
use crate::survey::System;

/// What the clock of the lab means, for a terminal.
pub const IN_SHORT: &str = "Figures compare paths through kernels, and are equal for equal setups on every \
                              host. Caches, TLBs, DMA and firmware are not modelled: nothing here predicts a \
                              piece of hardware.";

/// What the clock of the lab means, and what it cannot say.
pub const MEANING: [&str; 4] = [
    "Figures compare the paths that kernels take, by the number of instructions on them. Equal setups \
     (QEMU, its arguments, kernel, parameters, this program, the list of runs) give equal figures on \
     every host, to the nanosecond; where two did not, this report says so.",
    "An instruction takes the same time whatever it does. Caches, TLBs, branch prediction, clock \
     frequencies, memory that devices keep busy (DMA), firmware interrupts, and a second processor \
     with the locks between the two are not modelled.",
    "The figures say nothing about a piece of hardware: not what a kernel would do on a certain machine, \
     and not how large a model that machine holds. A kernel that is steadier here has shorter paths \
     under these loads; how long a path takes on a machine, only that machine can show.",
    "The worst case seen is not the worst case possible: it grows with the time measured, and with \
     loads and devices that were not tried.",
];

/// Returns how the lab among these systems counts time; `None` without a lab.
pub fn of_lab(systems: &[System]) -> Option<Finding> {
    let labs = systems.iter().filter_map(|system| system.machine.lab.as_ref());
    let lengths = sorted(labs.map(|lab| nanos_an_instruction(&lab.qemu_arguments)));
    let ns = match lengths.as_slice() {
        [] => return None,
        [length] => *length,
        _ => None,
    };
    let is_all = names(systems, false).is_empty();
    let systems = if is_all { Vec::new() } else { names(systems, true) };
    Some(Finding::Comparison(AboutComparison::InstructionClock { systems, ns }))
}

base::named! {
    /// Why times of two machines cannot be compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Incomparable {
        /// One counts instructions, the other measures time.
        Clocks = "clocks differ",
        /// Each counts the instructions of another set.
        InstructionSets = "instruction sets differ",
    }
}

/// Returns why times of these machines cannot be compared, if so.
pub fn incomparable(machines: [&Machine; 2]) -> Option<Incomparable> {
    let [one, other] = machines;
    match machines.map(counts_instructions) {
        [true, true] if one.architecture != other.architecture => {
            Some(Incomparable::InstructionSets)
        }
        [counts, same] => (counts != same).then_some(Incomparable::Clocks),
    }
}

/// Returns how the clocks of systems differ, so that their times cannot be compared.
pub fn differ(systems: &[System]) -> Option<Finding> {
    let [counting, measuring] = [true, false].map(|counting| names(systems, counting));
    let differs = match (counting.is_empty(), measuring.is_empty()) {
        (false, false) => Some(AboutComparison::ClocksDiffer { counting, measuring }),
        (false, true) => instruction_sets_differ(systems),
        _ => None,
    };
    differs.map(Finding::Comparison)
}

fn instruction_sets_differ(systems: &[System]) -> Option<AboutComparison> {
    let architecture = |system: &&System| system.machine.architecture.clone();
    let sets = groups(systems.iter(), |one, other| architecture(one) == architecture(other));
    let set = |alike: &Vec<&System>| InstructionSet {
        architecture: architecture(&alike[0]),
        systems: alike.iter().map(|system| system.name.clone()).collect(),
    };
    let sets: Vec<InstructionSet> = sets.iter().map(set).collect();
    (sets.len() > 1).then_some(AboutComparison::InstructionSetsDiffer { sets })
}

fn names(systems: &[System], counting: bool) -> Vec<String> {
    let systems = systems.iter();
    let same = systems.filter(|system| counts_instructions(system.machine) == counting);
    same.map(|system| system.name.clone()).collect()
}

/// Returns the length of an instruction in nanoseconds; `None` outside the lab.
pub fn instruction_ns(machine: &Machine) -> Option<u64> {
    nanos_an_instruction(&machine.lab.as_ref()?.qemu_arguments)
}

/// Converts QEMU's argument: `-icount shift=2` is 2^2 ns.
fn nanos_an_instruction(arguments: &str) -> Option<u64> {
    let (_, rest) = arguments.split_once("-icount shift=")?;
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    1u64.checked_shl(digits.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::AboutComparison::{ClocksDiffer, InstructionClock};
    use crate::fixture::{in_lab, wakeup};
    use crate::survey::systems;
    use base::Policy;

    #[test]
    fn the_length_of_an_instruction_comes_from_the_arguments() {
        let of = nanos_an_instruction;
        assert_eq!(of("-accel tcg -icount shift=2,sleep=off -m 1024"), Some(4));
        assert_eq!(of("-icount shift=0"), Some(1));
        assert_eq!(of("-icount shift=99"), None);
        assert_eq!(of("-icount shift=auto"), None);
        assert_eq!(of("-accel kvm"), None);
    }

    #[test]
    fn only_the_lab_counts_instructions() {
        let local = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        assert_eq!(of_lab(&systems(std::slice::from_ref(&local))), None);
        let runs = [in_lab("rt", "rt", local)];
        let clock = Finding::Comparison(InstructionClock { systems: Vec::new(), ns: Some(4) });
        assert_eq!(of_lab(&systems(&runs)), Some(clock));
    }

    #[test]
    fn clocks_differ_where_one_counts_and_one_measures_time() {
        let local = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let runs = [in_lab("debian-rt", "rt", local.clone()), local];
        assert_eq!(differ(&systems(&runs[..1])), None);
        assert_eq!(differ(&systems(&runs[1..])), None);
        let Some(Finding::Comparison(ClocksDiffer { counting, .. })) = differ(&systems(&runs))
        else {
            panic!("one of the two counts instructions")
        };
        assert_eq!(counting, ["debian-rt"]);
    }

    #[test]
    fn counted_times_of_two_instruction_sets_are_not_compared() {
        let run = in_lab("debian-rt", "rt", wakeup(Policy::Fifo(80), None, 8e3, 6e4));
        let mut arm = in_lab("debian-rt-arm64", "rt", run.clone());
        arm.header.machine.architecture = "aarch64".to_owned();
        let runs = [run, arm];
        let found = differ(&systems(&runs)).unwrap().sentence().to_string();
        assert!(found.contains("x86_64 on debian-rt and aarch64 on debian-rt-arm64"), "{found}");
        assert_eq!(differ(&systems(&runs[1..])), None);
        let machines = [&*runs[0].header.machine, &*runs[1].header.machine];
        assert_eq!(incomparable(machines), Some(Incomparable::InstructionSets));
        assert_eq!(incomparable([machines[1]; 2]), None);
    }
}
