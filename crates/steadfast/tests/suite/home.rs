//! Nothing that a user has at home changes what a test finds.

use std::env;
use std::fs;
use std::process::Command;

use lab::{Kernels, NewKernel};
use record::Machine;
use testing::boot_image;

/// Kinds of findings that are kept at home for later commands.
const KEPT: [&str; 3] = ["self-test", "audit", "worth of knobs"];

#[test]
fn tests_pass_in_a_home_full_of_misleading_files() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    let image = home.path().join("vmlinuz");
    fs::write(&image, boot_image("7.0-mine")).unwrap();
    let lab = data.join("steadfast/lab");
    let kernel = NewKernel {
        name: "k".repeat(64),
        kernel: image.display().to_string(),
        modules: Vec::new(),
        overlay: None,
        append: "isolcpus=1 ".repeat(20),
        replace: false,
    };
    Kernels::at(&lab).add(&kernel).unwrap();
    for kind in KEPT {
        let folder = data.join("steadfast").join(kind);
        fs::create_dir_all(&folder).unwrap();
        for key in [Machine::default().id(), runner::fingerprint().id()] {
            fs::write(folder.join(format!("{key}.json")), "{\"tool_version\": 7}").unwrap();
        }
    }
    let tests = ["golden::", "list::", "lab::"];
    let mut suite = Command::new(env::current_exe().unwrap());
    suite.args(tests).env("HOME", home.path()).env("XDG_DATA_HOME", &data);
    suite.env("STEADFAST_LAB", &lab).env("COLUMNS", "20").env("LC_ALL", "de_DE.UTF-8");
    let done = suite.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(!said.contains(" 0 passed"), "{said}");
}
