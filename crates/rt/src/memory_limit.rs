//! The memory that the limits of control groups leave: Documentation/admin-guide/cgroup-v2.rst and
//! cgroup-v1/memory.rst.

use std::path::Path;

use crate::control_group::ControlGroups;
use crate::read;

/// For version 2 and for version 1: the file with the limit, the file with the memory used, and the
/// line of `memory.stat` with the file cache in it that the kernel drops first.
const FILES: [[&str; 3]; 2] = [
    ["memory.max", "memory.current", "inactive_file "],
    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
];

/// Returns how many bytes the nearest memory limit leaves this process; `None` without a limit.
pub(crate) fn left_bytes() -> Option<u64> {
    let groups = ControlGroups::of_this(&|file| read::text(file))?;
    let all = [("", FILES[0]), ("memory", FILES[1])].into_iter();
    let left = all.flat_map(|(controller, files)| {
        let folders = groups.folders(controller).into_iter();
        folders.filter_map(move |folder| left_in(&folder, files))
    });
    left.min()
}

fn left_in(folder: &Path, [limit, used, dropped]: [&str; 3]) -> Option<u64> {
    let limit: u64 = read::value(folder.join(limit))?;
    let used: u64 = read::value(folder.join(used))?;
    let stat = read::text(folder.join("memory.stat")).unwrap_or_default();
    let dropped = read::field(&stat, dropped).and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(dropped)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_limit_leaves_what_is_not_used_and_what_files_take() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(left_in(folder, FILES[0]), None);
        write("memory.max", "1000\n");
        assert_eq!(left_in(folder, FILES[0]), Some(300));
        write("memory.stat", "anon 500\ninactive_file 200\n");
        assert_eq!(left_in(folder, FILES[0]), Some(500));
        write("memory.limit_in_bytes", "100\n");
        write("memory.usage_in_bytes", "700\n");
        assert_eq!(left_in(folder, FILES[1]), Some(0));
    }
}
