//! What the kernel counts for this process's control groups:
//! Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/.

use std::path::PathBuf;

use crate::control_group::path_of;
use crate::read;

/// The files of this process's control groups in which the kernel counts how long it held the
/// process back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldCounters {
    frozen: Option<PathBuf>,
    throttled: Vec<PathBuf>,
}

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
        let groups = read::text("/proc/self/cgroup").unwrap_or_default();
        let mounts = read::text("/proc/self/mountinfo").unwrap_or_default();
        let up = |controller: &str| folders(&groups, &mounts, controller);
        let [unified, cpu] = ["", "cpu"].map(up);
        let frozen = unified.first().map(|own| own.join("cgroup.stat.local"));
        let stats = cpu.iter().chain(&unified).map(|folder| folder.join("cpu.stat"));
        Self {
            frozen: frozen.filter(|file| counted(file, &FROZEN).is_some()),
            throttled: stats.filter(|file| counted(file, &THROTTLED).is_some()).collect(),
        }
    }

    /// Returns how long this process has been frozen, in nanoseconds; 0 if the kernel does not
    /// count it.
    #[must_use]
    pub fn frozen_ns(&self) -> u64 {
        let counted = |file| counted(file, &FROZEN);
        self.frozen.as_ref().and_then(counted).unwrap_or(0)
    }

    /// Returns how long quotas on CPU time have held threads of its groups back, in nanoseconds,
    /// summed over CPUs. Throttling counts when it ends.
    #[must_use]
    pub fn throttled_ns(&self) -> u64 {
        let counted = |file| counted(file, &THROTTLED);
        self.throttled.iter().filter_map(counted).sum()
    }
}

fn counted(file: &PathBuf, lines: &[Line]) -> Option<u64> {
    let text = read::text(file)?;
    let count = |(name, ns): &Line| {
        let count = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(count.trim().parse::<u64>().ok()?.saturating_mul(*ns))
    };
    lines.iter().find_map(count)
}

/// Returns the folders of a process's group and of the groups above it, the process's own group
/// first, for a controller of version 1, or for version 2 if the name is empty. Reads
/// `/proc/self/cgroup` and `mountinfo`.
pub(crate) fn folders(groups: &str, mounts: &str, controller: &str) -> Vec<PathBuf> {
    let own = path_of(groups, controller);
    let mount = mounts.lines().find_map(|line| {
        let (of_tree, of_kind) = line.split_once(" - ")?;
        let mut of_kind = of_kind.split(' ');
        let is_it = match (of_kind.next()?, controller) {
            ("cgroup2", "") => true,
            ("cgroup", name) => of_kind.nth(1)?.split(',').any(|option| option == name),
            _ => false,
        };
        let mut of_tree = of_tree.split(' ').skip(3);
        is_it.then_some((of_tree.next()?, of_tree.next()?))
    });
    let Some((own, (root, place))) = own.zip(mount) else {
        return Vec::new();
    };
    // The mounted folder need not be the root of the tree.
    let below = own.strip_prefix(root.trim_end_matches('/')).unwrap_or("");
    let place = PathBuf::from(place);
    let own = place.join(below.trim_start_matches('/'));
    let all = own.ancestors().take_while(|folder| folder.starts_with(&place));
    all.map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
24 20 0:21 / /proc rw - proc proc rw
30 29 0:26 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpuacct,cpu
31 29 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
32 29 0:28 /docker/7 /boxed rw - cgroup cgroup rw,freezer";
    const GROUPS: &str = "6:freezer:/docker/7/a\n4:cpu,cpuacct:/box/in\n0::/user/me";

    #[test]
    fn a_group_and_its_ancestors_are_found_in_the_mounted_tree() {
        let found = |controller| {
            let folders = folders(GROUPS, MOUNTS, controller);
            let texts = folders.iter().map(|folder| folder.display().to_string());
            texts.collect::<Vec<_>>()
        };
        assert_eq!(
            found("cpu"),
            ["/box/in", "/box", ""].map(|own| format!("/sys/fs/cgroup/cpu,cpuacct{own}"))
        );
        assert_eq!(found("")[0], "/sys/fs/cgroup/unified/user/me");
        assert_eq!(found("freezer"), ["/boxed/a", "/boxed"]);
        assert!(found("pids").is_empty());
    }

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
