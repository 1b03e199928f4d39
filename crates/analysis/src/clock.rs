//! The clock of the lab, in words: what it means, and what it cannot say.

pub use crate::lab::counts_instructions;
use crate::survey::System;
use crate::words;

/// What stands above the words.
pub const TITLE: &str = "What this clock means, and what it cannot say";

/// What the clocks of these systems mean; empty where none of them counts instructions.
pub fn meaning(systems: &[System]) -> Vec<String> {
    let first = counted(systems).map(|counted| format!("{counted}."));
    let rest = MEANING.iter().filter(|_| first.is_some());
    let rest = rest.map(|sentence| (*sentence).to_owned());
    first.iter().cloned().chain(rest).collect()
}

const MEANING: [&str; 4] = [
    "So these figures compare the paths that kernels take, by the number of instructions on them. \
     Equal setups (QEMU, its arguments, kernel, parameters, this program, the list of runs) give \
     equal figures on every host, to the nanosecond; where two did not, this report says so.",
    "An instruction takes the same time whatever it does. Nothing is in these figures of caches, \
     TLBs, branch prediction, clock frequencies, memory that devices keep busy (DMA), firmware \
     interrupts, or a second processor and the locks between the two.",
    "They never speak for a piece of hardware: not what a kernel would do on a certain machine, and \
     not how large a model that machine holds. A kernel that is steadier here has shorter paths \
     under these loads; how long a path takes on a machine, only that machine can tell.",
    "The worst case seen is not the worst case possible: it grows with the time measured, and with \
     loads and devices that were not tried.",
];

/// The same for a terminal.
pub fn in_short(systems: &[System]) -> Vec<String> {
    let in_short = |counted| {
        format!(
            "{counted}. It compares paths through kernels, with equal figures for equal setups on \
             every host. There are no caches, TLB costs, DMA or firmware in it: it never speaks for \
             a piece of hardware."
        )
    };
    counted(systems).map(in_short).into_iter().collect()
}

/// How the lab among these systems counts time.
fn counted(systems: &[System]) -> Option<String> {
    let unit = instruction(systems)?;
    let whose = match differ(systems) {
        Some(_) => format!("On {} time", words::listed(&names(systems, true))),
        None => "Time".to_owned(),
    };
    Some(format!("{whose} is counted in instructions: one processor, and {unit}"))
}

/// The systems that count instructions, or the others.
fn names(systems: &[System], counting: bool) -> Vec<String> {
    let systems = systems.iter();
    let same = systems.filter(|system| counts_instructions(system.machine) == counting);
    same.map(|system| system.name.clone()).collect()
}

/// Why the figures of these systems do not compare: some count instructions, and some
/// tell time.
pub fn differ(systems: &[System]) -> Option<String> {
    let [lab, real] = [true, false].map(|counting| names(systems, counting));
    (!lab.is_empty() && !real.is_empty()).then(|| {
        format!(
            "These clocks differ. On {} time is counted in instructions, on {} it passes. Their \
             results have the same shape and stand side by side, but their figures do not compare: \
             a time of the one is neither longer nor shorter than one of the other.",
            words::listed(&lab),
            words::listed(&real),
        )
    })
}

/// The same of two systems.
pub fn differ_between([one, other]: [&System; 2]) -> Option<&'static str> {
    let counts = |system: &System| counts_instructions(system.machine);
    (counts(one) != counts(other)).then_some(
        "on one of the two time is counted in instructions, on the other it passes, and a time of \
         the one is neither longer nor shorter than one of the other",
    )
}

/// How long an instruction takes, as far as the arguments of QEMU tell it.
fn instruction(systems: &[System]) -> Option<String> {
    let labs = systems.iter().filter_map(|system| system.machine.lab.as_ref());
    let mut lengths: Vec<Option<u64>> =
        labs.map(|lab| nanos_an_instruction(&lab.qemu_arguments)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    Some(match lengths.as_slice() {
        [] => return None,
        [Some(length)] => format!("{length} ns for each instruction"),
        _ => "the same time for each instruction of a machine".to_owned(),
    })
}

/// `-icount shift=2` is 2^2 ns.
fn nanos_an_instruction(arguments: &str) -> Option<u64> {
    let (_, rest) = arguments.split_once("-icount shift=")?;
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    1u64.checked_shl(digits.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, wakeup};
    use crate::survey::systems;
    use units::Policy;

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
    fn only_the_lab_has_words_on_its_clock() {
        let local = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let lab = in_lab("rt", "rt", local.clone());
        assert!(meaning(&systems(std::slice::from_ref(&local))).is_empty());
        let runs = [lab];
        let told = meaning(&systems(&runs)).join(" ");
        for word in ["4 ns", "caches", "DMA", "firmware", "hardware"] {
            assert!(told.contains(word), "{word}");
        }
    }

    #[test]
    fn clocks_differ_where_one_counts_and_one_tells_time() {
        let local = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let runs = [in_lab("debian-rt", "rt", local.clone()), local];
        assert_eq!(differ(&systems(&runs[..1])), None);
        assert_eq!(differ(&systems(&runs[1..])), None);
        let told = differ(&systems(&runs)).unwrap();
        assert!(told.contains("debian-rt"), "{told}");
    }
}
