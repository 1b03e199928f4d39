//! What the kernel counts for this process's control groups:
//! Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/.

use std::path::PathBuf;

use crate::control_group::ControlGroups;
use crate::read;

/// The files of this process's control groups in which the kernel counts how long it held the
/// process back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldCounters {
    frozen: Option<PathBuf>,
    throttled: Vec<PathBuf>,
    counts_freezing: bool,
}

/// Files that the groups have which can be frozen, in versions 2 and 1; a root group cannot.
const FREEZERS: [(&str, &str); 2] = [("", "cgroup.freeze"), ("freezer", "freezer.state")];

/// The start of the line with the count, and the unit of the count in nanoseconds.
type Line = (&'static str, u64);
/// Version 2, from Linux 6.18; includes the effect of the groups above.
const FROZEN: [Line; 1] = [("frozen_usec ", 1_000)];
/// Versions 2 and 1.
const THROTTLED: [Line; 2] = [("throttled_usec ", 1_000), ("throttled_time ", 1)];

impl HeldCounters {
    /// Finds the files of this process that can be read; needs no privilege.
    #[must_use]
    pub fn of_this_process() -> Self {
        let Some(groups) = ControlGroups::of_this(&|file| read::text(file)) else {
            return Self::default();
        };
        let [unified, cpu] = ["", "cpu"].map(|controller| groups.folders(controller));
        let frozen = unified.first().map(|own| own.join("cgroup.stat.local"));
        let frozen = frozen.filter(|file| counted(file, &FROZEN).is_some());
        let may_freeze = FREEZERS.iter().any(|(controller, file)| {
            let own = groups.folders(controller).into_iter().next();
            groups.path(controller).is_some() && own.is_none_or(|own| own.join(file).exists())
        });
        let stats = cpu.iter().chain(&unified).map(|folder| folder.join("cpu.stat"));
        Self {
            counts_freezing: frozen.is_some() || !may_freeze,
            frozen,
            throttled: stats.filter(|file| counted(file, &THROTTLED).is_some()).collect(),
        }
    }

    /// Returns how long this process has been frozen, in nanoseconds; 0 if the kernel does not
    /// count it.
    #[must_use]
    pub fn frozen_ns(&self) -> u64 {
        self.frozen.as_ref().and_then(|file| counted(file, &FROZEN)).unwrap_or(0)
    }

    /// Whether every freeze of this process is counted, or none is possible.
    #[must_use]
    pub fn counts_freezing(&self) -> bool {
        self.counts_freezing
    }

    /// Returns how long quotas on CPU time have held threads of its groups back, in nanoseconds,
    /// summed over CPUs. Throttling counts when it ends.
    #[must_use]
    pub fn throttled_ns(&self) -> u64 {
        self.throttled.iter().filter_map(|file| counted(file, &THROTTLED)).sum()
    }
}

fn counted(file: &PathBuf, lines: &[Line]) -> Option<u64> {
    let text = read::text(file)?;
    let count = |(name, ns): &Line| {
        Some(read::field(&text, name)?.parse::<u64>().ok()?.saturating_mul(*ns))
    };
    lines.iter().find_map(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_in_nanoseconds_and_never_fall() {
        let counters = HeldCounters::of_this_process();
        let before = [counters.frozen_ns(), counters.throttled_ns()];
        assert!(before[0] <= counters.frozen_ns() && before[1] <= counters.throttled_ns());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cpu.stat");
        std::fs::write(&file, "nr_throttled 3\nthrottled_usec 12\n").unwrap();
        assert_eq!(counted(&file, &THROTTLED), Some(12_000));
        assert_eq!(counted(&file, &FROZEN), None);
    }
}
