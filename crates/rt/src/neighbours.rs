//! Where CPUs are relative to others: on the same core, at the same last-level cache, on the same
//! socket.

use base::{CpuSet, Vicinity};

use crate::topology;

/// What the machine reports about shared cores, caches and sockets. A hypervisor may make up all of
/// it.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    /// Every core as the set of its hardware threads.
    pub cores: Vec<CpuSet>,
    /// Every last-level cache as the set of its CPUs.
    pub caches: Vec<CpuSet>,
    /// Every socket as the set of its CPUs.
    pub sockets: Vec<CpuSet>,
}

impl Neighbours {
    /// Reads the neighbours of this machine.
    #[must_use]
    pub fn here() -> Self {
        Self {
            cores: topology::cores(),
            caches: topology::each(topology::cache_sharers),
            sockets: topology::each(topology::socket),
        }
    }

    /// Returns usable CPUs at `place` relative to the measured ones, at most as many as are
    /// measured; an empty set if there is no such CPU. They are spread over cores.
    #[must_use]
    pub fn at(&self, place: Vicinity, measured: &CpuSet, usable: &CpuSet) -> CpuSet {
        let together = |sets: &[CpuSet]| -> CpuSet {
            let near = sets.iter().filter(|set| set.len() > set.without(measured).len());
            near.fold(measured.clone(), |all, set| all.with(set))
        };
        let [cores, caches, sockets] =
            [&self.cores, &self.caches, &self.sockets].map(|s| together(s));
        // A cache contains whole cores, and a socket whole caches, whatever a hypervisor reports.
        let caches = caches.with(&cores);
        let sockets = sockets.with(&caches);
        let there = match place {
            Vicinity::SameCpu => measured.clone(),
            Vicinity::Sibling => cores.without(measured),
            Vicinity::SharedCache => caches.without(&cores),
            Vicinity::OtherCache => sockets.without(&caches),
            Vicinity::OtherSocket => usable.without(&sockets),
        };
        let there: CpuSet = there.iter().filter(|cpu| usable.contains(*cpu)).collect();
        topology::spread(&self.cores, &there, measured.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(all: &[&str]) -> Vec<CpuSet> {
        all.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// Returns the CPUs of each place, relative to the measured ones.
    fn places(of: &Neighbours, measured: &str, usable: &str) -> Vec<String> {
        let [measured, usable] = [measured, usable].map(|text| text.parse::<CpuSet>().unwrap());
        let at = |place| of.at(place, &measured, &usable).to_string();
        Vicinity::ALL.into_iter().map(at).collect()
    }

    #[test]
    fn two_sockets_of_two_caches_of_two_cores_of_two_threads() {
        let machine = Neighbours {
            cores: sets(&["0,8", "1,9", "2,10", "3,11", "4,12", "5,13", "6,14", "7,15"]),
            caches: sets(&["0-1,8-9", "2-3,10-11", "4-5,12-13", "6-7,14-15"]),
            sockets: sets(&["0-3,8-11", "4-7,12-15"]),
        };
        assert_eq!(places(&machine, "1", "0-15"), ["1", "9", "0", "3", "7"]);
        assert_eq!(places(&machine, "0-1", "0-15"), ["0-1", "8-9", "", "2-3", "6-7"]);
        assert_eq!(places(&machine, "1", "0-1,8"), ["1", "", "0", "", ""]);
    }

    #[test]
    fn one_cache_for_all_and_a_cache_for_each() {
        let cores = || sets(&["0", "1", "2"]);
        let one = Neighbours { cores: cores(), caches: sets(&["0-2"]), sockets: sets(&["0-2"]) };
        assert_eq!(places(&one, "1", "0-2"), ["1", "", "2", "", ""]);
        let each = Neighbours { caches: cores(), ..one };
        assert_eq!(places(&each, "1", "0-2"), ["1", "", "", "2", ""]);
    }

    #[test]
    fn a_topology_that_contradicts_itself_or_says_nothing_gives_each_cpu_one_place_at_most() {
        let odd = Neighbours {
            cores: sets(&["0-1", "2-3"]),
            caches: sets(&["0", "1", "2-3"]),
            sockets: sets(&["0", "1-3"]),
        };
        for machine in [odd, Neighbours::default()] {
            let all = places(&machine, "0", "0-3");
            let all = all.iter().filter(|text| !text.is_empty());
            let cpus: Vec<CpuSet> = all.map(|text| text.parse().unwrap()).collect();
            let together = cpus.iter().fold(CpuSet::default(), |all, set| all.with(set));
            assert_eq!(together.len(), cpus.iter().map(CpuSet::len).sum::<usize>());
        }
    }

    #[test]
    fn this_machine_has_the_measured_cpus() {
        let usable = topology::usable();
        let first = CpuSet::one(usable.iter().next().unwrap());
        assert_eq!(Neighbours::here().at(Vicinity::SameCpu, &first, &usable), first);
    }
}
