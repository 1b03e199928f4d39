//! Finds the files below a root that match a pattern.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the existing files, with numbers in order. In a name, `*` matches anything, and `+` a
/// number from 1.
pub(crate) fn files(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let names = pattern.split('/').filter(|name| !name.is_empty());
    let mut found = vec![root.to_owned()];
    for name in names {
        found = found.iter().flat_map(|path| within(path, name)).collect();
    }
    found.retain(|path| path.exists());
    found
}

fn within(directory: &Path, pattern: &str) -> Vec<PathBuf> {
    if !pattern.contains(['*', '+']) {
        return vec![directory.join(pattern)];
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| fits(name, pattern)).collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    names.into_iter().map(|name| directory.join(name)).collect()
}

fn fits(name: &str, pattern: &str) -> bool {
    let sign = if pattern.contains('+') { '+' } else { '*' };
    let (before, after) = pattern.split_once(sign).unwrap_or((pattern, ""));
    let middle = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    middle.is_some_and(|middle| sign == '*' || middle.parse::<u32>().is_ok_and(|number| number > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_anything_or_a_number_from_one() {
        let root = tempfile::tempdir().unwrap();
        for state in ["cpu0/state0", "cpu0/state1", "cpu10/state2", "cpu2/state1", "cpufreq"] {
            fs::create_dir_all(root.path().join(state)).unwrap();
        }
        let found = |pattern: &str| {
            let found = files(root.path(), pattern).into_iter();
            let name = |path: PathBuf| path.strip_prefix(root.path()).unwrap().to_owned();
            let names: Vec<String> = found.map(|p| name(p).display().to_string()).collect();
            names.join(" ")
        };
        assert_eq!(found("cpu*/state+"), "cpu0/state1 cpu2/state1 cpu10/state2");
        assert_eq!(found("/cpu0/state0"), "cpu0/state0");
        assert_eq!(found("cpu1/state*"), "");
    }
}
