//! Which CPUs there are and which of them share a core, from sysfs.

use std::collections::BTreeSet;

use units::CpuSet;

use crate::read;

const CPUS: &str = "/sys/devices/system/cpu";

/// CPUs that are online. Without sysfs, those that this process may use.
#[must_use]
pub fn online() -> CpuSet {
    read::value(format!("{CPUS}/online"))
        .or_else(|| crate::sched::affinity().ok())
        .unwrap_or_else(|| CpuSet::one(0))
}

/// The hardware threads of the core that a CPU belongs to, itself included.
#[must_use]
pub fn siblings(cpu: usize) -> CpuSet {
    read::value(format!("{CPUS}/cpu{cpu}/topology/thread_siblings_list"))
        .unwrap_or_else(|| CpuSet::one(cpu))
}

/// Every core as the set of its hardware threads, smallest CPU first.
#[must_use]
pub fn cores() -> Vec<CpuSet> {
    let cores: BTreeSet<CpuSet> = online().iter().map(siblings).collect();
    let mut cores: Vec<CpuSet> = cores.into_iter().collect();
    cores.sort_by_key(|core| core.iter().next());
    cores
}

/// How many sockets the online CPUs sit in.
#[must_use]
pub fn sockets() -> usize {
    let package = |cpu| read::text(format!("{CPUS}/cpu{cpu}/topology/physical_package_id"));
    let packages: BTreeSet<_> = online().iter().filter_map(package).collect();
    packages.len().max(1)
}

/// Caches that a CPU uses, such as `L1d 48 KiB`, small ones first.
#[must_use]
pub fn caches(cpu: usize) -> Vec<String> {
    let cache = |index: usize| {
        let fact = |name: &str| read::text(format!("{CPUS}/cpu{cpu}/cache/index{index}/{name}"));
        let kind = match fact("type")?.as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        let size = fact("size")?;
        let size = size.trim_end_matches('K');
        Some(format!("L{}{kind} {size} KiB", fact("level")?))
    };
    (0..).map_while(cache).collect()
}

/// CPUs for the program's own work: online ones that are neither measured nor
/// share a core with a measured one; failing that, any that is not measured;
/// failing that, none.
#[must_use]
pub fn housekeeping(measured: &CpuSet) -> CpuSet {
    let online = online();
    let cores_measured = measured
        .iter()
        .fold(CpuSet::default(), |cpus, cpu| cpus.with(&siblings(cpu)));
    let apart = online.without(&cores_measured);
    if apart.is_empty() {
        online.without(measured)
    } else {
        apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_online_cpu_is_in_one_core() {
        let in_cores: usize = cores().iter().map(CpuSet::len).sum();
        assert_eq!(in_cores, online().len());
        assert!(sockets() <= cores().len());
    }

    #[test]
    fn housekeeping_is_never_measured() {
        let online = online();
        assert!(housekeeping(&online).is_empty());
        let first = CpuSet::one(online.iter().next().unwrap());
        assert!(!housekeeping(&first).contains(first.iter().next().unwrap()));
    }
}
