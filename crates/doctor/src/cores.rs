//! The kinds of cores of a machine: their names, numbers in Arm kernels, and their CPUs.

use std::collections::BTreeMap;

use base::CpuSet;
use record::CoreKind;

use crate::Tree;

/// Arm cores by implementer and part, as in the register MIDR: Arm's technical reference manuals,
/// and `arch/arm64/include/asm/cputype.h` of Linux.
const PARTS: &[(u32, u32, &str)] = &[
    (0x41, 0xd03, "Cortex-A53"),
    (0x41, 0xd04, "Cortex-A35"),
    (0x41, 0xd05, "Cortex-A55"),
    (0x41, 0xd07, "Cortex-A57"),
    (0x41, 0xd08, "Cortex-A72"),
    (0x41, 0xd09, "Cortex-A73"),
    (0x41, 0xd0a, "Cortex-A75"),
    (0x41, 0xd0b, "Cortex-A76"),
    (0x41, 0xd0c, "Neoverse N1"),
    (0x41, 0xd0d, "Cortex-A77"),
    (0x41, 0xd40, "Neoverse V1"),
    (0x41, 0xd41, "Cortex-A78"),
    (0x41, 0xd42, "Cortex-A78AE"),
    (0x41, 0xd44, "Cortex-X1"),
    (0x41, 0xd46, "Cortex-A510"),
    (0x41, 0xd47, "Cortex-A710"),
    (0x41, 0xd48, "Cortex-X2"),
    (0x41, 0xd49, "Neoverse N2"),
    (0x41, 0xd4b, "Cortex-A78C"),
    (0x41, 0xd4d, "Cortex-A715"),
    (0x41, 0xd4e, "Cortex-X3"),
    (0x41, 0xd4f, "Neoverse V2"),
    (0x41, 0xd80, "Cortex-A520"),
    (0x41, 0xd81, "Cortex-A720"),
    (0x41, 0xd82, "Cortex-X4"),
    (0x41, 0xd84, "Neoverse V3"),
    (0x41, 0xd8e, "Neoverse N3"),
    (0x4e, 0x004, "NVIDIA Carmel"),
    (0xc0, 0xac3, "Ampere-1"),
    (0xc0, 0xac4, "Ampere-1a"),
];

/// Returns the names of Arm cores by CPU, from `/proc/cpuinfo`; none on other processors.
pub(crate) fn arm_names(cpuinfo: &str) -> BTreeMap<usize, String> {
    let mut names = BTreeMap::new();
    let (mut cpu, mut implementer) = (None, None);
    for (key, value) in cpuinfo.lines().filter_map(|line| line.split_once(':')) {
        match (key.trim(), value.trim()) {
            ("processor", number) => cpu = number.parse().ok(),
            ("CPU implementer", code) => implementer = hexadecimal(code),
            ("CPU part", code) => {
                let is_known = |(maker, part, _): &&(u32, u32, &str)| {
                    Some(*maker) == implementer && Some(*part) == hexadecimal(code)
                };
                let known = PARTS.iter().find(is_known).map(|(_, _, name)| (*name).to_owned());
                let name = known.unwrap_or_else(|| format!("CPU part {code}"));
                names.extend(cpu.map(|cpu| (cpu, name)));
            }
            _ => {}
        }
    }
    names
}

fn hexadecimal(code: &str) -> Option<u32> {
    u32::from_str_radix(code.strip_prefix("0x")?, 16).ok()
}

/// Returns the kinds of cores of this machine, fast ones first; none if all cores are equal.
pub(crate) fn unlike(
    tree: &Tree,
    online: &CpuSet,
    names: &BTreeMap<usize, String>,
) -> Vec<CoreKind> {
    let capacity = |cpu| tree.value(&format!("/sys/devices/system/cpu/cpu{cpu}/cpu_capacity"));
    let hybrid = hybrid_kinds(tree);
    let kind = |cpu| hybrid.iter().find(|(cpus, _)| cpus.contains(cpu)).map(|(_, kind)| *kind);
    let name = |cpu| names.get(&cpu).cloned().or_else(|| kind(cpu).map(str::to_owned));
    let seen = |cpu| (cpu, name(cpu).unwrap_or_default(), capacity(cpu).seen());
    kinds(online.iter().map(seen))
}

const P_CORE: &str = "P-core";
const E_CORE: &str = "E-core";

/// Returns the CPUs of each kind of core of a hybrid x86 processor; none on others.
fn hybrid_kinds(tree: &Tree) -> Vec<(CpuSet, &'static str)> {
    let kinds = [("cpu_core", P_CORE), ("cpu_atom", E_CORE)];
    let cpus = |set: &str| tree.value(&format!("/sys/devices/{set}/cpus")).seen();
    kinds.into_iter().filter_map(|(set, kind)| Some((cpus(set)?, kind))).collect()
}

/// A capacity of at least this share of the highest one counts as equally fast: the highest
/// frequencies of equal cores also differ a little.
const EQUAL_PERCENT: u32 = 90;

/// Divides the kinds of cores into fast and slower ones; `None` if the kernel does not say which are
/// faster.
pub(crate) fn by_speed(kinds: &[CoreKind]) -> Option<(Vec<&CoreKind>, Vec<&CoreKind>)> {
    let capacities: Option<Vec<u32>> = kinds.iter().map(|kind| kind.capacity).collect();
    let highest = capacities.and_then(|capacities| capacities.into_iter().max());
    let is_hybrid = kinds.iter().all(|kind| [P_CORE, E_CORE].contains(&kind.name.as_str()));
    let is_fast = |kind: &&CoreKind| match (highest, kind.capacity) {
        (Some(highest), Some(capacity)) => {
            u64::from(capacity) * 100 >= u64::from(highest) * u64::from(EQUAL_PERCENT)
        }
        _ => kind.name == P_CORE,
    };
    (highest.is_some() || is_hybrid).then(|| kinds.iter().partition(is_fast))
}

/// Groups CPUs, each with its name and capacity; none if there is one group.
fn kinds(cpus: impl Iterator<Item = (usize, String, Option<u32>)>) -> Vec<CoreKind> {
    let mut groups: BTreeMap<(Option<u32>, String), Vec<usize>> = BTreeMap::new();
    for (cpu, name, capacity) in cpus {
        groups.entry((capacity, name)).or_default().push(cpu);
    }
    if groups.len() < 2 {
        return Vec::new();
    }
    let kind = |((capacity, name), cpus): ((Option<u32>, String), Vec<usize>)| CoreKind {
        cpus: cpus.into_iter().collect(),
        name,
        capacity,
    };
    groups.into_iter().rev().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two CPUs of a board with a Cortex-A53 and a Cortex-A72, as Linux 6.1 prints them.
    const BOARD: &str = "processor\t: 0\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd evtstrm\n\
        CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd03\n\
        CPU revision\t: 4\n\nprocessor\t: 4\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n\n\
        processor\t: 5\nCPU implementer\t: 0x99\nCPU part\t: 0xd08\n";

    #[test]
    fn cores_are_named_by_implementer_and_part() {
        let names = arm_names(BOARD);
        let named: Vec<(usize, &str)> =
            names.iter().map(|(cpu, name)| (*cpu, name.as_str())).collect();
        assert_eq!(named, [(0, "Cortex-A53"), (4, "Cortex-A72"), (5, "CPU part 0xd08")]);
        assert!(arm_names("processor\t: 0\nmodel name\t: AMD EPYC\n").is_empty());
    }

    #[test]
    fn kinds_are_as_fast_as_their_capacities_say_or_their_names() {
        let kind = |name: &str, capacity| CoreKind {
            cpus: CpuSet::one(0),
            name: name.to_owned(),
            capacity,
        };
        let fast = |kinds: &[CoreKind]| -> Option<usize> {
            by_speed(kinds).map(|(fast, slower)| {
                assert_eq!(fast.len() + slower.len(), kinds.len());
                fast.len()
            })
        };
        let [big, binned, little] = [1024, 1008, 530].map(|capacity| kind("", Some(capacity)));
        assert_eq!(fast(&[big.clone(), binned, little]), Some(2));
        assert_eq!(fast(&[kind(P_CORE, None), kind(E_CORE, None)]), Some(1));
        assert_eq!(fast(&[kind("Cortex-A72", None), kind("Cortex-A53", None)]), None);
        assert_eq!(fast(&[big, kind("", None)]), None);
    }

    #[test]
    fn kinds_differ_by_name_or_capacity() {
        let little = |cpu| (cpu, "Cortex-A53".to_owned(), Some(446));
        let big = |cpu| (cpu, "Cortex-A72".to_owned(), Some(1024));
        let found = kinds([little(0), little(1), big(4)].into_iter());
        let shown: Vec<(String, &str)> =
            found.iter().map(|kind| (kind.cpus.to_string(), kind.name.as_str())).collect();
        assert_eq!(shown, [("4".to_owned(), "Cortex-A72"), ("0-1".to_owned(), "Cortex-A53")]);
        assert!(kinds([little(0), little(1)].into_iter()).is_empty());
        let slower = (1, "Cortex-A53".to_owned(), Some(300));
        assert_eq!(kinds([little(0), slower].into_iter()).len(), 2);
    }
}
