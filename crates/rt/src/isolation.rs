//! The CPUs that the scheduler's balancing leaves out: isolated at boot, by a partition of version 2
//! of control groups, or by the cpusets of version 1.

use std::fs;
use std::path::{Path, PathBuf};

use base::CpuSet;

use crate::control_group::ControlGroups;
use crate::{read, sched};

/// Returns the CPUs that are isolated from the scheduler's balancing.
#[must_use]
pub fn isolated() -> CpuSet {
    isolated_below(Path::new("/"))
}

/// Returns the same of the machine whose files are below `root`.
#[must_use]
pub fn isolated_below(root: &Path) -> CpuSet {
    isolated_by(root).iter().fold(CpuSet::default(), |all, (_, cpus)| all.with(cpus))
}

/// Returns the CPUs that each source isolates on that machine: the kernel's list, partitions of
/// control groups, and cpusets of version 1.
#[must_use]
pub fn isolated_by(root: &Path) -> [(&'static str, CpuSet); 3] {
    let text = |path: &str| read::text(root.join(path.trim_start_matches('/')));
    let at_boot = text("/sys/devices/system/cpu/isolated");
    let groups = ControlGroups::of_this(&text);
    let groups_of = |controller: &str| {
        let folders = groups.as_ref().map(|groups| groups.folders(controller)).unwrap_or_default();
        let below = |folder: &PathBuf| Some(root.join(folder.strip_prefix("/").ok()?));
        folders.iter().filter_map(below).collect::<Vec<_>>()
    };
    let unbalanced = groups_of("cpuset").pop().and_then(|top| unbalanced(&top));
    [
        ("kernel", at_boot.and_then(|list| list.parse().ok()).unwrap_or_default()),
        ("partition", partitioned(&groups_of(""))),
        ("cpuset", unbalanced.unwrap_or_default()),
    ]
}

/// Returns the CPUs of isolated partitions, from the process's group and those above it: of the
/// partition that the process is in, and of all that can be seen from here.
fn partitioned(groups: &[PathBuf]) -> CpuSet {
    let is_isolated = |group: &&PathBuf| partition(group).as_deref() == Some("isolated");
    let own = groups.iter().find(is_isolated).map(|group| effective(group)).unwrap_or_default();
    let Some(top) = groups.last() else { return own };
    match read::text(top.join("cpuset.cpus.isolated")) {
        Some(list) => own.with(&list.parse().unwrap_or_default()),
        None => own.with(&isolated_partitions_below(top)),
    }
}

/// Returns the CPUs of the isolated partitions below a group. Before Linux 6.8, no list has them, and
/// the parent of a partition is one itself.
fn isolated_partitions_below(group: &Path) -> CpuSet {
    let groups = folders_in(group).unwrap_or_default();
    groups.iter().fold(CpuSet::default(), |all, group| match partition(group).as_deref() {
        Some("isolated") => all.with(&effective(group)).with(&isolated_partitions_below(group)),
        Some("root") => all.with(&isolated_partitions_below(group)),
        _ => all,
    })
}

fn partition(group: &Path) -> Option<String> {
    read::text(group.join("cpuset.cpus.partition"))
}

fn effective(group: &Path) -> CpuSet {
    read::value(group.join("cpuset.cpus.effective")).unwrap_or_default()
}

/// Returns the CPUs of cpusets of version 1 over which no load is balanced: the set at the top does
/// not balance it over all CPUs, and no set over this CPU and another. `None` if that cannot be seen.
fn unbalanced(top: &Path) -> Option<CpuSet> {
    // Only the root of all sets has it, which is not that of a container.
    if of_set(top, "memory_pressure_enabled").is_none() || is_balanced(top)? {
        return None;
    }
    let sets = sets_below(top)?;
    let all = sets.iter().fold(CpuSet::default(), |all, (cpus, _)| all.with(cpus));
    let balanced = sets.iter().filter(|(cpus, is_balanced)| *is_balanced && cpus.len() > 1);
    Some(balanced.fold(all, |left, (cpus, _)| left.without(cpus)))
}

/// Returns a file of a cpuset of version 1, whose name has no prefix where it is mounted so.
fn of_set(set: &Path, name: &str) -> Option<String> {
    read::text(set.join(format!("cpuset.{name}"))).or_else(|| read::text(set.join(name)))
}

fn is_balanced(set: &Path) -> Option<bool> {
    Some(of_set(set, "sched_load_balance")? != "0")
}

/// Returns the CPUs of all sets below this one, and whether load is balanced over them.
fn sets_below(set: &Path) -> Option<Vec<(CpuSet, bool)>> {
    let mut sets = Vec::new();
    for set in folders_in(set)? {
        let cpus = of_set(&set, "cpus")?;
        let cpus = if cpus.is_empty() { CpuSet::default() } else { cpus.parse().ok()? };
        sets.push((cpus, is_balanced(&set)?));
        sets.extend(sets_below(&set)?);
    }
    Some(sets)
}

fn folders_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    Some(folders.map(|entry| entry.path()).collect())
}

/// Lets the calling thread, and what it starts, also run on the isolated CPUs that its cpuset has:
/// programs start without these, because the kernel keeps its first process off the CPUs that are
/// isolated at boot.
pub fn include_isolated() {
    let isolated = isolated();
    if let Ok(own) = sched::affinity()
        && !isolated.without(&own).is_empty()
    {
        // Without CPUs that the cpuset does not have, which the kernel leaves out.
        let _ = sched::set_affinity(&own.with(&isolated));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: [&str; 2] = ["proc/self/cgroup", "6:cpuset:/rt\n0::/rt/me"];
    const MOUNTS: [&str; 2] = [
        "proc/self/mountinfo",
        "30 29 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
         31 29 0:27 / /cpusets rw - cgroup cgroup rw,cpuset",
    ];

    /// The isolated CPUs of a machine with these files.
    fn isolated_with(files: &[[&str; 2]]) -> String {
        let root = tempfile::TempDir::new().unwrap();
        for [path, text] in [GROUPS, MOUNTS].iter().chain(files) {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        isolated_below(root.path()).to_string()
    }

    #[test]
    fn cpus_are_isolated_at_boot_or_by_a_partition() {
        let partition = ["sys/fs/cgroup/rt/cpuset.cpus.partition", "isolated"];
        let member = ["sys/fs/cgroup/rt/cpuset.cpus.partition", "root"];
        let effective = ["sys/fs/cgroup/rt/cpuset.cpus.effective", "1"];
        let root_list = ["sys/fs/cgroup/cpuset.cpus.isolated", "1-3"];
        let at_boot = ["sys/devices/system/cpu/isolated", "2-3"];
        assert_eq!(isolated_with(&[at_boot]), "2-3");
        assert_eq!(isolated_with(&[at_boot, root_list]), "1-3");
        assert_eq!(isolated_with(&[partition, effective]), "1");
        assert_eq!(isolated_with(&[member, effective]), "");
    }

    #[test]
    fn partitions_of_others_are_found_where_the_root_has_no_list() {
        let outer = ["sys/fs/cgroup/all/cpuset.cpus.partition", "root"];
        let isolated = ["sys/fs/cgroup/all/one/cpuset.cpus.partition", "isolated"];
        let effective = ["sys/fs/cgroup/all/one/cpuset.cpus.effective", "2-3"];
        let failed = ["sys/fs/cgroup/all/one/cpuset.cpus.partition", "isolated invalid (empty)"];
        let root_list = ["sys/fs/cgroup/cpuset.cpus.isolated", ""];
        assert_eq!(isolated_with(&[outer, isolated, effective]), "2-3");
        assert_eq!(isolated_with(&[outer, failed, effective]), "");
        assert_eq!(isolated_with(&[outer, isolated, effective, root_list]), "");
    }

    #[test]
    fn a_cpu_of_a_cpuset_is_isolated_if_no_load_is_balanced_over_it() {
        let top = ["cpusets/cpuset.memory_pressure_enabled", "0"];
        let off = ["cpusets/cpuset.sched_load_balance", "0"];
        let on = ["cpusets/cpuset.sched_load_balance", "1"];
        let alone = ["cpusets/rt/cpuset.cpus", "3"];
        let unbalanced = ["cpusets/rt/cpuset.sched_load_balance", "0"];
        let of_one = ["cpusets/rt/cpuset.sched_load_balance", "1"];
        let rest = ["cpusets/rest/cpuset.cpus", "0-2"];
        let everywhere = ["cpusets/rest/cpuset.cpus", "0-3"];
        let balanced = ["cpusets/rest/cpuset.sched_load_balance", "1"];
        for (files, expected) in [
            (&[top, off, alone, unbalanced, rest, balanced][..], "3"),
            (&[top, off, alone, of_one, rest, balanced], "3"),
            (&[top, off, alone, unbalanced, everywhere, balanced], ""),
            (&[top, on, alone, unbalanced, rest, balanced], ""),
            // The root of a container, and a set that hides its state.
            (&[off, alone, unbalanced, rest, balanced], ""),
            (&[top, off, alone, unbalanced, rest], ""),
        ] {
            assert_eq!(isolated_with(files), expected, "{files:?}");
            // As `mount -t cpuset` mounts them.
            let bare = files.iter().map(|[path, text]| (path.replace("cpuset.", ""), *text));
            let bare: Vec<_> = bare.collect();
            let bare: Vec<_> = bare.iter().map(|(path, text)| [path.as_str(), text]).collect();
            assert_eq!(isolated_with(&bare), expected, "{bare:?}");
        }
    }
}
