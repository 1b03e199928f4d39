//! What the program writes goes where the user wants, and never through another user's link.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, lchown, symlink};

use crate::common::{MODEST, run, run_words};
use testing::skip;

#[test]
fn no_file_is_written_through_another_users_link() {
    const STRANGER: u32 = 65534;
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    fs::create_dir(path("precious")).unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o1777)).unwrap();
    for (link, to) in [("file", "precious/file"), ("directory", "precious")] {
        symlink(path(to), path(link)).unwrap();
        if lchown(path(link), Some(STRANGER), None).is_err() {
            return skip("needs the right to give a file away (root)");
        }
    }
    symlink(path("precious/own"), path("own")).unwrap();
    let measured = format!("run clock_overhead --seconds 0.05 {MODEST}");
    let refused = |words: &str, name: &str| {
        let done = run_words(&format!("{measured} {words}"), [path(name)]);
        let done = done.refuses("symbolic link of another user");
        assert_eq!(done.stdout(), "", "it is refused before anything is measured");
    };
    for flag in ["--store", "--junit", "--csv-histograms"] {
        refused(flag, "file");
        refused(flag, "directory/file");
    }
    let directory = path("directory").display().to_string();
    for line in ["quick --out", "frontier --out", "campaign tel-messages --out"] {
        run(&format!("{line} {directory}")).refuses("symbolic link of another user");
    }
    assert_eq!(path("precious").read_dir().unwrap().count(), 0);
    run_words(&format!("{measured} --junit"), [path("own")]).succeeded();
    assert!(path("precious/own").is_file() && path("own").is_symlink());
}
