//! A made-up knob, as `docs/add-a-knob.md` shows it: whether each session is a group of tasks.

use crate::knob::files;
use crate::values::Values;

files! {
    "autogroup": ["proc/sys/kernel/sched_autogroup_enabled" Text], Values::Between("0", "1"),
        Low "", 1, &[], "man 7 sched (the autogroup feature)",
        "whether sessions share the CPU, not single tasks (kernel.sched_autogroup_enabled)";
}

#[test]
fn a_knob_is_present_only_where_its_file_exists() {
    let root = tempfile::tempdir().unwrap();
    assert!(crate::present(root.path(), "autogroup").is_none());
    let kernel = root.path().join("proc/sys/kernel");
    std::fs::create_dir_all(&kernel).unwrap();
    for (now, to_try) in [("1", "0"), ("0", "1")] {
        std::fs::write(kernel.join("sched_autogroup_enabled"), format!("{now}\n")).unwrap();
        let knob = crate::present(root.path(), "autogroup").unwrap();
        assert_eq!((&*knob.now, knob.to_try.as_deref()), (now, Some(to_try)));
    }
}
