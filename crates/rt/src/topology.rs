//! The CPUs of this machine, and which of them share a core, a cache or a socket, from sysfs.

use std::collections::BTreeSet;

use base::CpuSet;

use crate::isolation::isolated;
use crate::{read, sched};

const CPUS: &str = "/sys/devices/system/cpu";

/// Returns the CPUs that are online; without sysfs, those that this process may use.
#[must_use]
pub fn online() -> CpuSet {
    read::value(format!("{CPUS}/online"))
        .or_else(|| sched::affinity().ok())
        .unwrap_or_else(|| CpuSet::one(0))
}

/// Returns the hardware threads of the core to which a CPU belongs, including the CPU itself.
#[must_use]
pub fn siblings(cpu: usize) -> CpuSet {
    read::value(format!("{CPUS}/cpu{cpu}/topology/thread_siblings_list"))
        .unwrap_or_else(|| CpuSet::one(cpu))
}

/// Returns every core as the set of its hardware threads, smallest CPU first.
#[must_use]
pub fn cores() -> Vec<CpuSet> {
    let mut cores = each(siblings);
    cores.sort_by_key(|core| core.iter().next());
    cores
}

/// Returns the sets to which the online CPUs belong, every set once.
pub(crate) fn each(of: impl Fn(usize) -> CpuSet) -> Vec<CpuSet> {
    let sets: BTreeSet<CpuSet> = online().iter().map(of).collect();
    sets.into_iter().collect()
}

/// Returns the CPUs that share the last-level cache with this one, including the CPU itself.
#[must_use]
pub fn cache_sharers(cpu: usize) -> CpuSet {
    last_cache(cpu).map_or_else(|| siblings(cpu), |(sharers, _)| sharers)
}

/// Returns the CPUs of the socket to which a CPU belongs, including the CPU itself; all online CPUs
/// if the kernel does not report sockets.
#[must_use]
pub fn socket(cpu: usize) -> CpuSet {
    let all = ["package_cpus_list", "core_siblings_list"];
    let read = |name| read::value(format!("{CPUS}/cpu{cpu}/topology/{name}"));
    all.into_iter().find_map(read).unwrap_or_else(online)
}

/// Returns the bytes of the last-level caches that the CPUs use, each cache counted once; 0 if the
/// kernel does not report them.
#[must_use]
pub fn last_caches(cpus: &CpuSet) -> u64 {
    let caches: BTreeSet<(CpuSet, u64)> = cpus.iter().filter_map(last_cache).collect();
    caches.iter().map(|(_, bytes)| bytes).sum()
}

/// Returns the CPUs that share the last-level cache of this one, and its size in bytes.
fn last_cache(cpu: usize) -> Option<(CpuSet, u64)> {
    let cache = |index: usize| {
        let directory = format!("{CPUS}/cpu{cpu}/cache/index{index}");
        let sharers = read::value(format!("{directory}/shared_cpu_list"))?;
        let size = read::text(format!("{directory}/size"))?;
        let kib: u64 = size.strip_suffix('K')?.parse().ok()?;
        Some((sharers, kib * 1024))
    };
    (0..).map_while(cache).max_by_key(|(_, bytes)| *bytes)
}

/// Returns the CPUs that are online and on which this thread may run.
#[must_use]
pub fn usable() -> CpuSet {
    let online = online();
    match sched::affinity() {
        Ok(allowed) => online.iter().filter(|cpu| allowed.contains(*cpu)).collect(),
        Err(_) => online,
    }
}

/// Chooses `count` of the given CPUs, spread over the cores: first one CPU per core, from the last
/// core down, then the cores' second hardware threads, and so on.
#[must_use]
pub fn spread(cores: &[CpuSet], cpus: &CpuSet, count: usize) -> CpuSet {
    let place = |cpu: &usize| {
        let core = cores.iter().filter(|core| core.contains(*cpu));
        let before = core.flat_map(CpuSet::iter).filter(|s| cpus.contains(*s) && s < cpu).count();
        (before, std::cmp::Reverse(*cpu))
    };
    let mut order: Vec<usize> = cpus.iter().collect();
    order.sort_by_key(place);
    order.into_iter().take(count).collect()
}

/// Chooses like [`spread`], isolated CPUs first.
#[must_use]
pub fn spread_from_isolated(
    cores: &[CpuSet],
    cpus: &CpuSet,
    isolated: &CpuSet,
    count: usize,
) -> CpuSet {
    let others = cpus.without(isolated);
    let first = spread(cores, &cpus.without(&others), count);
    let more = spread(cores, &others, count - first.len());
    first.with(&more)
}

/// Chooses `count` of this machine's CPUs on which this thread may run, isolated ones first.
#[must_use]
pub fn spread_here(count: usize) -> CpuSet {
    spread_from_isolated(&cores(), &usable(), &isolated(), count)
}

/// Returns to how many of the cores the given CPUs belong.
#[must_use]
pub fn cores_of(cores: &[CpuSet], cpus: &CpuSet) -> usize {
    let is_used = |core: &&CpuSet| core.iter().any(|cpu| cpus.contains(cpu));
    cores.iter().filter(is_used).count()
}

/// Whether a CPU of one set shares a core with a CPU of the other.
#[must_use]
pub fn share_a_core(cpus: &CpuSet, other: &CpuSet) -> bool {
    cpus.iter().any(|cpu| siblings(cpu).iter().any(|sibling| other.contains(sibling)))
}

/// Returns CPUs for the program's own work: usable CPUs that are not measured and share no core with
/// a measured one, and are not isolated. Without such CPUs, returns all that are not measured; the
/// result may be empty.
#[must_use]
pub fn housekeeping(usable: &CpuSet, measured: &CpuSet) -> CpuSet {
    let others = usable.without(measured);
    let common = others.without(&isolated());
    let apart: CpuSet =
        common.iter().filter(|cpu| !share_a_core(&CpuSet::one(*cpu), measured)).collect();
    [apart, common].into_iter().find(|cpus| !cpus.is_empty()).unwrap_or(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_online_cpu_is_in_one_core() {
        let in_cores: usize = cores().iter().map(CpuSet::len).sum();
        assert_eq!(in_cores, online().len());
    }

    #[test]
    fn a_shared_cache_counts_once() {
        let online = online();
        let each: u64 = online.iter().map(|c| last_caches(&CpuSet::one(c))).sum();
        let all = last_caches(&online);
        assert!(all <= each && (all > 0) == (each > 0));
        assert_eq!(last_caches(&CpuSet::default()), 0);
    }

    #[test]
    fn housekeeping_is_never_measured() {
        let online = online();
        assert!(housekeeping(&online, &online).is_empty());
        let first = CpuSet::one(online.iter().next().unwrap());
        assert_eq!(housekeeping(&online, &first).without(&first), housekeeping(&online, &first));
    }

    #[test]
    fn isolated_cpus_come_first() {
        let set = |text: &str| -> CpuSet { text.parse().unwrap() };
        let choose = |isolated: &str, count| {
            let isolated = isolated.parse().unwrap_or_default();
            spread_from_isolated(&[], &set("0-3"), &isolated, count).to_string()
        };
        assert_eq!([choose("1-2", 1), choose("1-2", 3), choose("", 1)], ["2", "1-3", "3"]);
    }

    #[test]
    fn threads_are_spread_over_cores_first() {
        let core = |text: &str| -> CpuSet { text.parse().unwrap() };
        let cores = [core("0,2"), core("1,3")];
        let all = core("0-3");
        for (count, chosen) in [(1, "1"), (2, "0-1"), (3, "0-1,3"), (9, "0-3")] {
            assert_eq!(spread(&cores, &all, count), core(chosen));
        }
        assert_eq!(spread(&cores, &core("2-3"), 1), core("3"));
        assert_eq!(cores_of(&cores, &core("0,2")), 1);
        assert_eq!(cores_of(&cores, &core("2-3")), 2);
    }
}
