//! Control groups.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{PROGRAM, by_other, eventually};

/// A control group for one test; removed when dropped.
pub struct Group(PathBuf);

impl Group {
    /// Creates a group below the mount point of this kind of tree; `None` if it is not mounted, or
    /// not writable for this user.
    pub fn of(kind: &str, controller: &str) -> Option<Self> {
        let mounts = fs::read_to_string("/proc/mounts").unwrap();
        let mount = mounts.lines().find_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let is_it = words[2] == kind
                && (controller.is_empty() || words[3].split(',').any(|one| one == controller));
            is_it.then(|| PathBuf::from(words[1]))
        });
        let group = mount?.join(format!("steadfast-test-{}", std::process::id()));
        fs::create_dir(&group).ok()?;
        Some(Self(group))
    }

    /// Creates a group with that many microseconds of CPU time in each 100 ms; `None` if that is
    /// not permitted.
    pub fn limited(quota: &str) -> Option<Self> {
        let kinds = [
            ("cgroup2", "", "cpu.max", format!("{quota} 100000")),
            ("cgroup", "cpu", "cpu.cfs_quota_us", quota.to_owned()),
        ];
        kinds.into_iter().find_map(|(kind, controller, file, quota)| {
            let group = Self::of(kind, controller)?;
            fs::write(group.file(file), quota).ok()?;
            // The quota ends before its share of a busy CPU does.
            for (file, weight) in [("cpu.weight", "10000"), ("cpu.shares", "262144")] {
                let file = group.file(file);
                let _ = file.exists().then(|| fs::write(file, weight));
            }
            Some(group)
        })
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn set(&self, file: &str, text: &str) {
        fs::write(self.file(file), text).unwrap();
    }

    /// Returns the command that runs this program in the group from its first instruction on.
    pub fn command(&self, line: &str) -> Command {
        let mut shell = by_other("sh");
        let enter = "echo $$ > \"$0\" && exec \"$@\"";
        shell.args(["-c", enter]).arg(self.file("cgroup.procs"));
        shell.arg(PROGRAM).args(line.split_whitespace());
        shell
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        eventually("the end of what is in the group", || fs::remove_dir(&self.0).is_ok());
    }
}
