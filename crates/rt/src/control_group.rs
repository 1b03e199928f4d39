//! The control groups of this process, and what they grant: cgroups(7).

use std::path::{Path, PathBuf};

/// A limit on the CPU time of a control group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuBudget {
    /// The file that sets it.
    pub file: PathBuf,
    /// What that file contains without a limit.
    pub no_limit: &'static str,
    /// What it grants, in words.
    pub grant: String,
}

/// The control groups of a process, and how their files are read.
pub struct ControlGroups<'a> {
    groups: String,
    mounts: String,
    text: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> ControlGroups<'a> {
    /// Reads the control groups of this process; `text` reads a file of the machine without its
    /// line end. `None` if the kernel does not report them.
    pub fn of_this(text: &'a dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let groups = text("/proc/self/cgroup")?;
        let mounts = text("/proc/self/mountinfo").unwrap_or_default();
        Some(Self { groups, mounts, text })
    }

    /// Returns the nearest limit on CPU time; `None` without a limit.
    #[must_use]
    pub fn cpu_budget(&self) -> Option<CpuBudget> {
        let of_version_two = |folder: PathBuf| {
            let text = self.text(&folder, "cpu.max")?;
            let (runtime, period) = text.split_once(' ')?;
            let grant = format!("{runtime} of each {period} µs (cpu.max)");
            let budget = CpuBudget { file: folder.join("cpu.max"), no_limit: "max", grant };
            (runtime != "max").then_some(budget)
        };
        let of_version_one = |folder: PathBuf| {
            let quota: i64 = self.text(&folder, "cpu.cfs_quota_us")?.trim().parse().ok()?;
            let grant = format!("{quota} µs per period (cpu.cfs_quota_us)");
            let file = folder.join("cpu.cfs_quota_us");
            (quota >= 0).then_some(CpuBudget { file, no_limit: "-1", grant })
        };
        let budget = self.folders("").into_iter().find_map(of_version_two);
        budget.or_else(|| self.folders("cpu").into_iter().find_map(of_version_one))
    }

    /// Returns the least share of a CPU, in percent, that a group grants to real-time threads, and the
    /// file that sets it; `None` if no group has such a budget. Only version 1 has these files.
    #[must_use]
    pub fn real_time_budget(&self) -> Option<(u64, PathBuf)> {
        let budget = |folder: PathBuf| {
            let file = folder.join("cpu.rt_runtime_us");
            let (runtime, period) =
                (self.number(&file)?, self.number(&folder.join("cpu.rt_period_us"))?);
            let percent = (100 * runtime.min(period)).div_ceil(period.max(1));
            // Without any, the policy is refused.
            (percent > 0).then_some((percent, file))
        };
        self.folders("cpu").into_iter().filter_map(budget).min_by_key(|(percent, _)| *percent)
    }

    /// Whether a group that cannot be seen may have such a budget; `is_in_first` says whether the process
    /// is in the namespace of control groups that shows all of them.
    #[must_use]
    pub fn may_hide_real_time_budget(&self, is_in_first: bool) -> bool {
        let folders = self.folders("cpu");
        // Where the kernel divides real-time budget, each group has the file.
        let may_have =
            folders.first().is_none_or(|own| self.text(own, "cpu.rt_runtime_us").is_some());
        self.path("cpu").is_some() && may_have && !(is_in_first && self.reaches_root("cpu"))
    }

    /// Returns the path of the process's group in a controller of version 1, or in version 2 if the
    /// name is empty.
    #[must_use]
    pub fn path(&self, controller: &str) -> Option<&str> {
        self.groups.lines().find_map(|line| {
            // NUMBER:CONTROLLERS:PATH
            let mut parts = line.splitn(3, ':').skip(1);
            let mut controllers = parts.next()?.split(',');
            let group = parts.next()?;
            controllers.any(|name| name == controller).then_some(group)
        })
    }

    /// Returns the folders of the process's group and of the groups above it, its own group first,
    /// in a controller of version 1, or in version 2 if the name is empty.
    #[must_use]
    pub fn folders(&self, controller: &str) -> Vec<PathBuf> {
        let Some((own, (root, place))) = self.path(controller).zip(self.mount(controller)) else {
            return Vec::new();
        };
        // The mounted folder need not be the root of the tree.
        let below = own.strip_prefix(root.trim_end_matches('/')).unwrap_or("");
        let place = PathBuf::from(place);
        let own = place.join(below.trim_start_matches('/'));
        let all = own.ancestors().take_while(|folder| folder.starts_with(&place));
        all.map(PathBuf::from).collect()
    }

    /// Whether the folders of [`ControlGroups::folders`] end with the root of all groups, as far as
    /// this process's namespace shows them.
    #[must_use]
    pub fn reaches_root(&self, controller: &str) -> bool {
        self.path(controller).is_some()
            && self.mount(controller).is_some_and(|(root, _)| root == "/")
    }

    /// Returns which folder of the tree of a controller is mounted, and where.
    fn mount(&self, controller: &str) -> Option<(&str, &str)> {
        self.mounts.lines().find_map(|line| {
            let (of_tree, of_kind) = line.split_once(" - ")?;
            let mut of_kind = of_kind.split(' ');
            let is_it = match (of_kind.next()?, controller) {
                ("cgroup2", "") => true,
                ("cgroup", name) => of_kind.nth(1)?.split(',').any(|option| option == name),
                _ => false,
            };
            let mut of_tree = of_tree.split(' ').skip(3);
            is_it.then_some((of_tree.next()?, of_tree.next()?))
        })
    }

    /// Returns a file of a control group that contains a number.
    #[must_use]
    pub fn number(&self, file: &Path) -> Option<u64> {
        (self.text)(file.to_str()?)?.trim().parse().ok()
    }

    fn text(&self, folder: &Path, name: &str) -> Option<String> {
        (self.text)(folder.join(name).to_str()?)
    }
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
            let (groups, mounts) = (GROUPS.to_owned(), MOUNTS.to_owned());
            let folders = ControlGroups { groups, mounts, text: &|_| None }.folders(controller);
            folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>()
        };
        let expected =
            ["/box/in", "/box", ""].map(|own| format!("/sys/fs/cgroup/cpu,cpuacct{own}"));
        assert_eq!(found("cpu"), expected);
        assert_eq!(found("")[0], "/sys/fs/cgroup/unified/user/me");
        assert_eq!(found("freezer"), ["/boxed/a", "/boxed"]);
        assert!(found("pids").is_empty());
    }

    #[test]
    fn the_smallest_real_time_budget_of_the_groups_above_is_found_with_its_file() {
        let budget = |own: &str, above: &str| {
            let text = |path: &str| {
                let folder = path.strip_prefix("/sys/fs/cgroup/cpu,cpuacct")?;
                Some(match folder {
                    "/box/in/cpu.rt_runtime_us" => own.to_owned(),
                    "/box/cpu.rt_runtime_us" => above.to_owned(),
                    "/box/in/cpu.rt_period_us" | "/box/cpu.rt_period_us" => "1000000".to_owned(),
                    _ => return None,
                })
            };
            let (groups, mounts) = (GROUPS.to_owned(), MOUNTS.to_owned());
            let found = ControlGroups { groups, mounts, text: &text }.real_time_budget();
            found.map(|(percent, file)| (percent, file.display().to_string()))
        };
        let set_by = |folder: &str| format!("/sys/fs/cgroup/cpu,cpuacct{folder}/cpu.rt_runtime_us");
        assert_eq!(budget("20000", "950000"), Some((2, set_by("/box/in"))));
        assert_eq!(budget("950000", "5000"), Some((1, set_by("/box"))));
        assert_eq!(budget("-1", "-1"), None);
    }

    #[test]
    fn a_budget_may_be_hidden_where_groups_have_one_and_not_all_are_seen() {
        let may_hide = |mounts: &str, has_file: bool, is_in_first: bool| {
            let text = |_: &str| has_file.then(|| "-1".to_owned());
            let (groups, mounts) = ("4:cpu:/box".to_owned(), mounts.to_owned());
            ControlGroups { groups, mounts, text: &text }.may_hide_real_time_budget(is_in_first)
        };
        const WHOLE: &str = "30 29 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu";
        const PART: &str = "30 29 0:26 /box /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu";
        assert!(!may_hide(WHOLE, true, true) && !may_hide(PART, false, false));
        assert!(may_hide(WHOLE, true, false) && may_hide(PART, true, true));
        assert!(may_hide("", false, true), "nothing is mounted");
        let of_version_two =
            ControlGroups { groups: "0::/box".to_owned(), mounts: String::new(), text: &|_| None };
        assert!(!of_version_two.may_hide_real_time_budget(false));
    }

    #[test]
    fn the_nearest_budget_of_either_version_is_found() {
        const TWO: (&str, &str) = ("/proc/self/cgroup", "0::/a/b");
        const ONE: (&str, &str) = ("/proc/self/cgroup", "3:cpu,cpuacct:/a\n0::/");
        const MOUNTED: (&str, &str) = (
            "/proc/self/mountinfo",
            "30 29 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
             31 29 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
        );
        let budget = |files: &[(&str, &str)]| {
            let text = |path: &str| {
                let file = [MOUNTED].iter().chain(files).find(|(name, _)| *name == path);
                file.map(|(_, text)| (*text).to_owned())
            };
            ControlGroups::of_this(&text)?.cpu_budget().map(|budget| (budget.grant, budget.file))
        };
        assert_eq!(budget(&[]), None);
        let none = ("/sys/fs/cgroup/a/b/cpu.max", "max 100000");
        let outer = ("/sys/fs/cgroup/a/cpu.max", "5000 100000");
        assert_eq!(budget(&[TWO, none]), None);
        let found = budget(&[TWO, none, outer]);
        let expected = "5000 of each 100000 µs (cpu.max)".to_owned();
        assert_eq!(found, Some((expected, PathBuf::from("/sys/fs/cgroup/a/cpu.max"))));
        let quota = |us| ("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", us);
        assert_eq!(budget(&[ONE, quota("-1")]), None);
        let found = budget(&[ONE, quota("7000")]).map(|(grant, _)| grant);
        assert_eq!(found.as_deref(), Some("7000 µs per period (cpu.cfs_quota_us)"));
    }
}
