//! With which features libraries are built.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Returns each library with its features, as the tests of these packages build it: `serde v1.0.229|default,std`.
pub(crate) fn of_libraries(crates: &Path, packages: &[&str]) -> BTreeSet<String> {
    let mut tree = Command::new(env!("CARGO"));
    tree.current_dir(crates).arg("tree").args(packages);
    tree.args(["--edges", "normal,build,dev", "--prefix", "none", "--format", "{p}|{f}"]);
    let done = tree.args(["--locked", "--offline"]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();
    let is_ours = |line: &&str| line.contains("/crates/");
    let line = |line: &str| line.trim_end_matches(" (*)").replace(" (proc-macro)", "");
    text.lines().filter(|line| !is_ours(line)).map(line).collect()
}
