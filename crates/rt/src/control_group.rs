//! What the control groups of this process grant: cgroups(7).

/// The control groups of a process, and how their files are read.
pub struct ControlGroups<'a> {
    groups: String,
    text: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> ControlGroups<'a> {
    /// Reads the control groups of this process; `text` reads a file of the machine without its
    /// line end. `None` if the kernel does not report them.
    pub fn of_this(text: &'a dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let groups = text("/proc/self/cgroup")?;
        Some(Self { groups, text })
    }

    /// Describes the CPU time that the nearest limit grants; `None` without a limit.
    #[must_use]
    pub fn cpu_budget(&self) -> Option<String> {
        let of_version_two = |group: &str| {
            let text = (self.text)(&format!("/sys/fs/cgroup{group}/cpu.max"))?;
            let (runtime, period) = text.split_once(' ')?;
            (runtime != "max").then(|| format!("{runtime} of each {period} µs (cpu.max)"))
        };
        let group = self.path("");
        let budget = group.and_then(|group| up_from(group).find_map(of_version_two));
        budget.or_else(|| {
            let quota = self.of_version_one("cpu.cfs_quota_us", |us| us >= 0)?;
            Some(format!("{quota} µs per period (cpu.cfs_quota_us)"))
        })
    }

    /// Returns the path of the process's group in a controller of version 1, or in version 2 if the
    /// name is empty.
    #[must_use]
    pub fn path(&self, controller: &str) -> Option<&str> {
        path_of(&self.groups, controller)
    }

    /// Returns a number of the version-1 CPU controller that satisfies `wanted`, from the group
    /// nearest to this process.
    #[must_use]
    pub fn of_version_one(&self, name: &str, wanted: fn(i64) -> bool) -> Option<i64> {
        let of_group = |group: &str| {
            let mounts = ["cpu", "cpu,cpuacct", "cpuacct,cpu"].into_iter();
            let mut paths = mounts.map(|mount| format!("/sys/fs/cgroup/{mount}{group}/{name}"));
            paths.find_map(|path| (self.text)(&path)?.trim().parse().ok())
        };
        up_from(self.path("cpu")?).filter_map(of_group).find(|number| wanted(*number))
    }
}

/// Finds the path of a controller's group in the text of `/proc/self/cgroup`.
pub(crate) fn path_of<'g>(groups: &'g str, controller: &str) -> Option<&'g str> {
    groups.lines().find_map(|line| {
        // NUMBER:CONTROLLERS:PATH
        let mut parts = line.splitn(3, ':').skip(1);
        let mut controllers = parts.next()?.split(',');
        let group = parts.next()?;
        controllers.any(|name| name == controller).then_some(group)
    })
}

/// Iterates over a group and the groups above it. In a container, which sees its own group as the
/// root, only the root remains.
fn up_from(group: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(group.trim_end_matches('/')), |group| {
        Some(group.rsplit_once('/')?.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(files: &[(&str, &str)]) -> Option<String> {
        let text = |path: &str| {
            let file = files.iter().find(|(name, _)| *name == path);
            file.map(|(_, text)| (*text).to_owned())
        };
        ControlGroups::of_this(&text)?.cpu_budget()
    }

    #[test]
    fn the_nearest_budget_of_either_version_is_found() {
        const TWO: (&str, &str) = ("/proc/self/cgroup", "0::/a/b");
        const ONE: (&str, &str) = ("/proc/self/cgroup", "3:cpu,cpuacct:/a\n0::/");
        assert_eq!(budget(&[]), None);
        let none = ("/sys/fs/cgroup/a/b/cpu.max", "max 100000");
        let outer = ("/sys/fs/cgroup/a/cpu.max", "5000 100000");
        assert_eq!(budget(&[TWO, none]), None);
        let found = budget(&[TWO, none, outer]).unwrap();
        assert_eq!(found, "5000 of each 100000 µs (cpu.max)");
        let quota = |us| ("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", us);
        assert_eq!(budget(&[ONE, quota("-1")]), None);
        let found = budget(&[ONE, quota("7000")]).unwrap();
        assert_eq!(found, "7000 µs per period (cpu.cfs_quota_us)");
    }
}
